#!/usr/bin/env -S python3 -B
"""The library PCRE2, asked by Touchstone's protocol (docs/protocol.md)."""
from ctypes import CDLL, POINTER, byref, create_string_buffer
from ctypes import c_char_p as text_p, c_int, c_size_t as size, c_uint32, c_void_p as any_p

from protocol import serve

CASELESS, UTF, VERSION, NO_MATCH = 0x8, 0x80000, 11, -1
library = CDLL("libpcre2-8.so.0")
for name, result, *arguments in [
    ("compile", any_p, text_p, size, c_uint32, POINTER(c_int), POINTER(size), any_p),
    ("match_data_create_from_pattern", any_p, any_p, any_p),
    ("match", c_int, any_p, text_p, size, size, c_uint32, any_p, any_p),
    ("get_ovector_pointer", POINTER(size), any_p),
    *[(f"{what}_free", None, any_p) for what in ("code", "match_data")],
]:
    function = getattr(library, f"pcre2_{name}_8")
    function.restype, function.argtypes = result, arguments
    globals()[name] = function


def refusal(code):
    library.pcre2_get_error_message_8(code, text := create_string_buffer(256), size(256))
    return NotImplementedError(text.value.decode())


class Compiled:
    def __init__(self, pattern, insensitive):
        self.code = self.data = None
        if r"\p" in pattern.lower() and (insensitive or "(?i" in pattern):
            raise NotImplementedError("`\\p{Lu}` stays upper-case, says pcre2pattern(3)")
        written, code = pattern.encode(), c_int()
        flags = UTF | CASELESS * insensitive
        self.code = compile(written, len(written), flags, byref(code), byref(size()), None)
        if not self.code:
            raise refusal(code.value)
        self.data = match_data_create_from_pattern(self.code, None)

    def __call__(self, line):
        text, found, at = line.encode(), [], 0
        while at <= len(text):
            count = match(self.code, text, len(text), at, 0, self.data, None)
            if count == NO_MATCH:
                break
            if count < 0:
                raise refusal(count)
            found.append(get_ovector_pointer(self.data)[:2])
            at = found[-1][1] + (found[-1][0] == found[-1][1])
            while at < len(text) and text[at] & 0xC0 == 0x80:
                at += 1
        return found

    def __del__(self):
        match_data_free(self.data)
        code_free(self.code)


library.pcre2_config_8(VERSION, release := create_string_buffer(64))
serve("pcre2", release.value.decode().split()[0], Compiled)
