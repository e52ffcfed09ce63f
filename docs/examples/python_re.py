#!/usr/bin/env -S python3 -B
"""Python's `re`, asked by Touchstone's protocol (docs/protocol.md)."""
import platform, re

from protocol import in_bytes, serve


def matcher(pattern, insensitive):
    if r"\B" in pattern:
        raise NotImplementedError("`\\B` is not in an empty text, says its manual up to 3.13")
    compiled = re.compile(pattern, re.ASCII | (re.IGNORECASE if insensitive else 0))

    def matches(line):
        # `finditer` would look for a longer match where it has found an empty one.
        found, at = [], 0
        while at <= len(line) and (match := compiled.search(line, at)):
            found.append(match.span())
            at = match.end() + (match.start() == match.end())
        return in_bytes(line, found)

    return matches


serve("python-re", platform.python_version(), matcher, re.error)
