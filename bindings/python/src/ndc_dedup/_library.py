"""Finds and loads the native library; every call of it goes through here or `_engine_state`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ndc_dedup._ndcapi import ffi
from ndc_dedup.errors import NdcError, error_of

NAME = "libndc.so.2"
PATH_VARIABLE = "NDC_LIBRARY"


def _load() -> Any:
    path = os.environ.get(PATH_VARIABLE) or str(Path(__file__).with_name(NAME))
    try:
        library = ffi.dlopen(path)
    except OSError as failure:
        raise ImportError(
            f"ndc_dedup: the native library {path} could not be loaded: {failure}. The wheel of another platform has "
            f"been unpacked here, or {PATH_VARIABLE} names something else"
        ) from failure
    wanted = library.ND_VERSION_MAJOR << 16 | library.ND_VERSION_MINOR << 8 | library.ND_VERSION_PATCH
    found = library.nd_version()
    if found >> 16 != wanted >> 16 or found < wanted:
        raise ImportError(
            f"ndc_dedup: {path} is version {text(library.nd_version_string())}; this package was made for "
            f"{library.ND_VERSION_MAJOR}.{library.ND_VERSION_MINOR}.{library.ND_VERSION_PATCH}"
        )
    return library


def text(string: Any) -> str:
    """A NUL-terminated string of the library."""
    value: bytes = ffi.string(string)
    return value.decode("utf-8", "replace")


lib = _load()


def failure_of(status: int) -> NdcError:
    """What this thread's last call, which returned `status`, raises."""
    return error_of(status, text(lib.nd_last_error()) or text(lib.nd_status_string(status)))


def call(function: Any, *arguments: Any) -> None:
    """Calls a function that returns a status; raises unless it is ND_OK."""
    status = function(*arguments)
    if status != 0:
        raise failure_of(status)


_BUFFER = ffi.typeof("nd_buffer *")
_BUFFER_SIZE = ffi.sizeof("nd_buffer")


def filled_buffer(function: Any, *arguments: Any) -> bytes:
    """What a function whose last argument is an nd_buffer writes into it."""
    buffer = ffi.new(_BUFFER)
    buffer.struct_size = _BUFFER_SIZE
    try:
        call(function, *arguments, buffer)
        return bytes(ffi.buffer(buffer.data, buffer.size)) if buffer.size else b""
    finally:
        lib.nd_buffer_free(buffer)


def numbers_of(function: Any, *arguments: Any) -> tuple[int, ...]:
    """The 64-bit numbers of a sized output."""
    count = ffi.new("size_t *")
    call(function, *arguments, ffi.NULL, count)
    if count[0] == 0:
        return ()
    numbers = ffi.new("uint64_t[]", count[0])
    call(function, *arguments, numbers, count)
    return tuple(numbers)


def version() -> str:
    """The version of the native library."""
    return text(lib.nd_version_string())
