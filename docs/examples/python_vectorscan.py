#!/usr/bin/env -S python3 -B
"""Vectorscan in the module `hyperscan`, asked by Touchstone's protocol (docs/protocol.md)."""
import hyperscan as hs

from protocol import serve

FLAGS = hs.HS_FLAG_UTF8 | hs.HS_FLAG_ALLOWEMPTY | hs.HS_FLAG_SINGLEMATCH


def compiled(pattern, flags=FLAGS):
    database = hs.Database(mode=hs.HS_MODE_BLOCK)
    database.compile([pattern.encode()], flags=flags)
    return database


def matcher(pattern, insensitive):
    if r"\p" in pattern.lower() and (insensitive or "(?i" in pattern):
        raise NotImplementedError("`\\p{Lu}` stays upper-case, as in PCRE")
    database = compiled(pattern, FLAGS | (hs.HS_FLAG_CASELESS if insensitive else 0))

    def matches(line):
        found = []
        database.scan(line.encode(), lambda *match: found.append(match) and None)
        return bool(found)

    return matches


serve("vectorscan", compiled("a").info().split()[1].decode(), matcher, hs.error)
