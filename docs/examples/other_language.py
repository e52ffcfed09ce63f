#!/usr/bin/env -S python3 -B
"""An engine of another language, asked by Touchstone's protocol (docs/protocol.md).

Its words are a name, a program, and what comes before all else on that program's command line. The
program prints its release if the last word is `--version`. Else it reads JSON values, one a line,
and answers each with one. A list is a pattern and whether case does not count; the answer is null,
or why the pattern is refused. A string is a line; the answer is its matches, as pairs of bytes.
"""
import json, pathlib, subprocess, sys

from protocol import serve


def exchanged(value):
    engine.stdin.write(json.dumps(value) + "\n")
    engine.stdin.flush()
    return json.loads(engine.stdout.readline())


def matcher(pattern, insensitive):
    if reason := exchanged([pattern, insensitive]):
        raise NotImplementedError(reason)
    return exchanged


name, program, *words = (word for word in sys.argv[1:] if word != "--version")
command = [pathlib.Path(__file__).parent / program, *words]
release = subprocess.check_output([*command, "--version"], text=True).strip()
engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
serve(name, release, matcher)
