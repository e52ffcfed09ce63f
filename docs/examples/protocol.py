"""Touchstone's protocol (docs/protocol.md), for an engine that searches one line."""
import itertools, json, re, sys


def expression(ask):
    # Not `re.escape`: some engines refuse to have escaped what needs no escape.
    quote = (lambda text: re.sub(r"[][\\^$.|?*+(){}]", r"\\\g<0>", text)) if ask["fixed"] else str
    pattern = "|".join(f"(?:{quote(one)})" for one in ask["patterns"])
    if ask["word"]:
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    return f"^(?:{pattern})$" if ask["line"] else pattern


def in_bytes(line, spans):
    at = list(itertools.accumulate((len(letter.encode()) for letter in line), initial=0))
    return [[at[start], at[end]] for start, end in spans]


def said(ask, matches, haystack):
    lines = haystack["text"].removesuffix("\n").split("\n") if haystack["text"] else []
    found = [matches(line) for line in lines]
    if ask["show"] == "spans" and True in found:
        raise NotImplementedError("it does not tell where a match begins")
    hits = [at for at, spans in enumerate(found) if bool(spans) != ask["invert"]]
    selected = dict.fromkeys(hits[: ask["max_count"]])
    if ask["show"] == "count":
        return {"count": len(selected)}
    if ask["show"].startswith("files"):
        return {"listed": bool(selected) == (ask["show"] == "files")}
    near = {at for hit in selected for at in range(hit - ask["before"], hit + ask["after"] + 1)}
    told = []
    for at in sorted(near & set(range(min([len(lines), *hits[len(selected) :]])))):
        told.append({"number": at + 1, "selected": at in selected, "line": {"text": lines[at]}})
        if at in selected and isinstance(found[at], list) and not ask["invert"]:
            told[-1]["spans"] = found[at]
    return {"lines": told}


def reply(told, name, matcher, refused):
    ask, to = told["ask"], {"id": told["id"]}
    try:
        matches = matcher(expression(ask), ask["case"] == "insensitive")
        answers = [said(ask, matches, haystack) for haystack in told["haystacks"]]
        return {"say": "answer", **to, "haystacks": answers}
    except (NotImplementedError, *refused) as error:
        return {"say": "skipped", **to, "reason": f"{name.removeprefix('python-')}: {error}"}
    except Exception as error:
        return {"say": "errored", **to, "context": repr(error)}


def serve(name, release, matcher, *refused):
    # `matcher(pattern, insensitive)` gives spans in bytes of a line, or whether there are any.
    if "--version" in sys.argv:
        sys.exit(print(name, release))
    ready = {"say": "ready", "version": 1, "name": name, "release": release, "unsupported": {}}
    for told in map(json.loads, iter(sys.stdin.readline, "")):
        if told["do"] == "stop":
            break
        answer = ready if told["do"] == "start" else reply(told, name, matcher, refused)
        print(json.dumps(answer), flush=True)
