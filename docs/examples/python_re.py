#!/usr/bin/env python3
"""Python's `re`, asked by Touchstone's protocol (docs/protocol.md)."""
import json, platform, re, sys


def compiled(ask):
    pattern = "|".join(f"(?:{re.escape(p) if ask['fixed'] else p})" for p in ask["patterns"])
    if ask["word"]:
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    if ask["line"]:
        pattern = rf"\A(?:{pattern})\Z"
    return re.compile(pattern, re.ASCII | (re.IGNORECASE if ask["case"] == "insensitive" else 0))


def matches(pattern, line):
    found, at = [], 0
    while at <= len(line) and (match := pattern.search(line, at)):
        found.append([len(line[:end].encode()) for end in match.span()])
        at = match.end() + (match.start() == match.end())
    return found


def said(ask, pattern, haystack):
    lines = haystack["text"].removesuffix("\n").split("\n") if haystack["text"] else []
    found = [matches(pattern, line) for line in lines]
    hits = [at for at, spans in enumerate(found) if bool(spans) != ask["invert"]]
    selected = hits[: ask["max_count"]]
    if ask["show"] == "count":
        return {"count": len(selected)}
    if ask["show"] in ("files", "files_without"):
        return {"listed": bool(selected) == (ask["show"] == "files")}
    near = {at for hit in selected for at in range(hit - ask["before"], hit + ask["after"] + 1)}
    told = []
    for at in sorted(near & set(range(min([len(lines), *hits[len(selected) :]])))):
        told.append({"number": at + 1, "selected": at in selected, "line": {"text": lines[at]}})
        if at in selected and not ask["invert"]:
            told[-1]["spans"] = found[at]
    return {"lines": told}


def reply(told):
    if told["do"] == "start":
        about = {"name": "python-re", "release": platform.python_version(), "unsupported": {}}
        return {"say": "ready", "version": 1, **about}
    try:
        answers = [said(told["ask"], compiled(told["ask"]), haystack) for haystack in told["haystacks"]]
        return {"say": "answer", "id": told["id"], "haystacks": answers}
    except re.error as error:
        return {"say": "skipped", "id": told["id"], "reason": f"re: {error}"}
    except Exception as error:
        return {"say": "errored", "id": told["id"], "context": repr(error)}


if "--version" in sys.argv:
    sys.exit(print(f"python-re {platform.python_version()}"))
for message in map(json.loads, iter(sys.stdin.readline, "")):
    if message["do"] == "stop":
        break
    print(json.dumps(reply(message)), flush=True)
