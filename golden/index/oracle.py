#!/usr/bin/env python3
"""A third reading of docs/claims.md, sections 1 to 3: texts to n-grams, n-grams to filters, patterns to exclusion.

It shares no code with the Rust of this repository and knows nothing of it. `texts.json` and `patterns.json` say what
is asked; `--write` stores the answers in `expected/` and in the fields `needed` and `variant` of `patterns.json`,
`--check` (the default) computes them again and fails with a diff of every file that differs.
"""

import difflib
import json
import math
import pathlib
import sys
import unicodedata

import xxhash

HERE = pathlib.Path(__file__).resolve().parent
CASES = ("sensitive", "insensitive", "smart")
FOLDS = ("ASCII", "UNICODE_SIMPLE")
FOREIGN_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
LARGEST_HEX = 20_000  # filters of more bits are given by their digest alone
WIDTH = 116

# Section 1: from bytes to n-grams.

def judged(data, maximum):
    """The token status, and the text as decoded, which is empty unless the status is FULL."""
    if len(data) > maximum:
        return "SKIPPED_TOO_LARGE", ""
    if data.startswith(FOREIGN_MARKS):
        return "SKIPPED_ENCODING", ""
    # Python, too, replaces each maximal subpart by one U+FFFD, and keeps a leading U+FEFF.
    decoded = data.decode("utf-8", "replace")
    return ("SKIPPED_BINARY", "") if 2 * decoded.count("\ufffd") > len(decoded) else ("FULL", decoded)


def nfc(text):
    return unicodedata.normalize("NFC", text)


def fold_scalar(scalar, fold):
    if fold == "ASCII":
        return chr(ord(scalar) + 32) if "A" <= scalar <= "Z" else scalar
    # Simple folding is the C and S rows of CaseFolding. casefold() gives C and F rows: one scalar is the C row, or the
    # scalar itself where there is no row (also in Cherokee). Several are an F row; its S row, if there is one, is then
    # the simple lowercase, as for U+1E9E, while lower() of the others gives themselves, or for U+0130 two scalars.
    # This was compared with all of Unicode 14. Later, 15.1 gave S rows to U+1FD3, U+1FE3 and U+FB05: no text has them.
    return next((image for image in (scalar.casefold(), scalar.lower()) if len(image) == 1), scalar)


def folded(text, fold):
    return "".join(fold_scalar(scalar, fold) for scalar in text)


def grams_of(text, k):
    return sorted({text[start:start + k] for start in range(len(text) - k + 1)})


# Section 2: the filter.

def sizes(parameters):
    n = parameters["max_tokenized_bytes"] // 2
    m = math.ceil(-n * math.log(parameters["fp_rate"]) / math.log(2) ** 2)
    return n, m, max(1, math.floor(m / n * math.log(2) + 0.5))


def probes_of(gram, parameters):
    _, m, k_hashes = sizes(parameters)
    h1, h2 = (xxhash.xxh64_intdigest(gram.encode("utf-8"), seed) for seed in (0, int(parameters["hash_seed"], 16)))
    return [(h1 + i * h2) % 2**64 % m for i in range(k_hashes)]


def packed_bytes(bits, m):
    packed = bytearray((m + 7) // 8)
    for bit in bits:
        packed[bit // 8] |= 1 << (bit % 8)
    return packed


def described(packed, m):
    digits = packed.hex()
    return {
        "bits_set": bin(int.from_bytes(packed, "little")).count("1"),
        "bytes": len(packed),
        "hex": [digits[at:at + 96] for at in range(0, len(digits), 96)] if m <= LARGEST_HEX else None,
        "xxh64": xxhash.xxh64_hexdigest(packed, 0),
    }


# Section 3: exclusion by literal patterns.

def variant_of(pattern, case):
    """Smart is sensitive iff the pattern has a capital from A to Z; other capitals do not count."""
    capital = any("A" <= scalar <= "Z" for scalar in pattern)
    return "SENSITIVE" if case == "sensitive" or case == "smart" and capital else "INSENSITIVE"


def needed_by(entry, case, fold, k):
    """The grams that a file has to pass in order to be searched; None if nothing may be excluded."""
    pattern = entry["pattern"]
    sought = folded(pattern, fold) if variant_of(pattern, case) == "INSENSITIVE" else pattern
    if entry["fuzzy"] or nfc(pattern) != pattern or nfc(sought) != sought:
        return None
    return [gram for gram in grams_of(sought, k) if not set(gram) & set("\r\n\ufffd")] or None


def excludes(entry, case, parameters, filters):
    """Whether the pattern excludes a FULL and complete file with these filters, where the state machine lets it."""
    packed = filters[variant_of(entry["pattern"], case)]
    needed = needed_by(entry, case, parameters["fold"], parameters["ngram_k"]) or []
    return not all(packed[bit // 8] >> bit % 8 & 1 for gram in needed for bit in probes_of(gram, parameters))


# The answers.

def contents(entry):
    text = entry.get("text", entry.get("repeat", ""))
    return bytes.fromhex(entry.get("hex", "")) or text.encode("utf-8") * entry.get("times", 1)


def answered_text(data, parameters, patterns):
    (n, m, k_hashes), k, seed = sizes(parameters), parameters["ngram_k"], int(parameters["hash_seed"], 16)
    status, decoded = judged(data, parameters["max_tokenized_bytes"])
    text = nfc(decoded).replace("\r\n", "\n")
    complete = status == "FULL" and nfc(decoded) == decoded and len(text) >= k
    asking = patterns if complete else []
    variants = {"SENSITIVE": text, "INSENSITIVE": folded(text, parameters["fold"])}
    rows = {name: [[gram, probes_of(gram, parameters)] for gram in grams_of(variants[name], k)] for name in variants}
    filters = {name: packed_bytes((bit for _, probes in rows[name] for bit in probes), m) for name in variants}
    return {
        "excluded": {case: sorted(entry["id"] for entry in asking if excludes(entry, case, parameters, filters))
                     for case in CASES},
        "grams": rows, "n": n, "m": m, "k_hashes": k_hashes, "parameters": parameters,
        "hash_seed_stored": seed - 2**64 if seed >= 2**63 else seed,
        "packed": {name: described(filters[name], m) for name in variants},
        "token_complete": complete, "token_status": status,
        "tokenized_bytes": len(data) if status == "FULL" else 0,
        "windows": max(0, len(text) - k + 1),
    }


def answered_pattern(entry):
    answers = {case: {fold: needed_by(entry, case, fold, entry["ngram_k"]) for fold in FOLDS} for case in CASES}
    return {**entry, "needed": answers, "variant": {case: variant_of(entry["pattern"], case) for case in CASES}}


def layout(value, indent="", label=""):
    """JSON in ASCII with sorted keys: one line for what fits on one; in longer lists, words share lines."""
    flat = label + json.dumps(value, sort_keys=True)
    if not isinstance(value, (dict, list)) or len(indent + flat) <= WIDTH:
        return flat
    inner, lines = indent + "  ", []
    if isinstance(value, dict):
        lines = [inner + layout(value[key], inner, json.dumps(key) + ": ") for key in sorted(value)]
    for item in value if isinstance(value, list) else []:
        shown = layout(item, inner)
        fits = lines and not isinstance(item, (dict, list)) and len(lines[-1] + shown) + 3 <= WIDTH
        lines = lines[:-1] + [f"{lines[-1]}, {shown}"] if fits else lines + [inner + shown]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return label + opening + "\n" + ",\n".join(lines) + "\n" + indent + closing


def computed_files():
    """Every file that is to exist, with its text."""
    asked, patterns = (json.loads((HERE / name).read_text("ascii")) for name in ("texts.json", "patterns.json"))
    files, grams = {HERE / "patterns.json": layout([answered_pattern(entry) for entry in patterns]) + "\n"}, {}
    for entry in asked["texts"]:
        data, sets = contents(entry), {name: asked["parameters"][name] for name in entry["with"]}
        answers = {name: answered_text(data, sets[name], patterns) for name in sets}
        grams[entry["id"]] = {name: answers[name]["grams"] for name in sets}
        if grams[entry.get("same_grams_as", entry["id"])] != grams[entry["id"]]:
            sys.exit(f"`{entry['id']}` has not the grams of `{entry['same_grams_as']}`")
        result = {"answers": answers, "id": entry["id"], "length": len(data)}
        files[HERE / "expected" / (entry["id"] + ".json")] = layout(result) + "\n"
    if len({entry["id"] for entry in patterns}) + len(grams) < len(patterns) + len(asked["texts"]):
        sys.exit("an id occurs twice")
    return files


def main(arguments):
    if arguments not in ([], ["--check"], ["--write"]):
        sys.exit("usage: oracle.py [--check | --write]")
    write, files = "--write" in arguments, computed_files()
    stored = {path: path.read_text("ascii") for path in [HERE / "patterns.json", *HERE.glob("expected/*")]}
    differing = sorted(path for path in files.keys() | stored.keys() if files.get(path) != stored.get(path))
    for path in differing:
        if write and path in files:
            path.write_text(files[path], "ascii", newline="\n")
        elif write:
            path.unlink()
        else:
            old, new = (side.get(path, "").splitlines() for side in (stored, files))
            print(*difflib.unified_diff(old, new, f"{path.stem}: stored", "computed", lineterm="", n=1), sep="\n")
    print(f"{len(files)} files, {len(differing)} {'written' if write else 'differ'}")
    return 1 if differing and not write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
