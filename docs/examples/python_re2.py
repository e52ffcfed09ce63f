#!/usr/bin/env -S python3 -B
"""RE2 by its own module for Python, asked by Touchstone's protocol (docs/protocol.md)."""
import importlib.metadata, re2

from protocol import serve


def matcher(pattern, insensitive):
    if r"\w" in pattern.lower() and (insensitive or "(?i" in pattern):
        raise NotImplementedError("`\\w` is `[0-9A-Za-z_]`, where letters fold to ſ and K")
    options = re2.Options()
    options.case_sensitive, options.log_errors = not insensitive, False
    compiled = re2.compile(pattern, options)
    return lambda line: [match.span() for match in compiled.finditer(line.encode())]


serve("re2", importlib.metadata.version("google-re2"), matcher, re2.error)
