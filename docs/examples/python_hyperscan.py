#!/usr/bin/env -S python3 -B
"""Hyperscan by its module for Python, asked by Touchstone's protocol (docs/protocol.md)."""
import hyperscan as hs

from protocol import serve


def matcher(pattern, insensitive):
    flags = hs.HS_FLAG_UTF8 | hs.HS_FLAG_ALLOWEMPTY | hs.HS_FLAG_SINGLEMATCH
    database = hs.Database(mode=hs.HS_MODE_BLOCK)
    database.compile([pattern.encode()], flags=flags | (hs.HS_FLAG_CASELESS if insensitive else 0))

    def matches(line):
        found = []
        database.scan(line.encode(), lambda *match: found.append(match) and None)
        return bool(found)

    return matches


serve("hyperscan", hs.__version__, matcher, hs.error)
