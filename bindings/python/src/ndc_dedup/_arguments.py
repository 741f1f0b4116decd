"""From what Python callers give to what the C interface takes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import Any, Iterator, Optional, Union

from ndc_dedup._library import call, lib
from ndc_dedup._ndcapi import ffi
from ndc_dedup.errors import InvalidArgumentError
from ndc_dedup.option_types import Options

Body = Union[bytes, bytearray, memoryview, str]
Url = Union[str, bytes]
When = Union[datetime, float]

_PAGE = ffi.typeof("nd_page *")
_PAGE_SIZE = ffi.sizeof("nd_page")
_from_buffer = ffi.from_buffer
_NULL = ffi.NULL
_TRUNCATED = lib.ND_PAGE_TRUNCATED


def url_bytes(url: Url) -> bytes:
    """A URL as the library keeps it. Bytes stay as they are; those of them that are no UTF-8 come back as surrogates,
    as file names do."""
    if type(url) is bytes:
        return url
    if isinstance(url, str):
        return url.encode("utf-8", "surrogateescape")
    raise TypeError(f"a URL has to be str or bytes, not {type(url).__name__}")


def url_text(data: Any, size: int) -> str:
    """The other way round."""
    raw = bytes(ffi.buffer(data, size)) if size else b""
    return raw.decode("utf-8", "surrogateescape")


def body_bytes(body: Body) -> bytes:
    """What the library reads. A str is marked as UTF-8, whatever its markup says of an encoding that it no longer has.
    Buffers that somebody could change during the call are copied."""
    if type(body) is bytes:
        return body
    if isinstance(body, str):
        return ("\ufeff" + body).encode("utf-8", "replace")
    try:
        view = memoryview(body)
    except TypeError:
        raise TypeError(f"a body has to be bytes, bytearray, memoryview or str, not {type(body).__name__}") from None
    return bytes(view)


def milliseconds(when: Optional[When]) -> int:
    """Milliseconds since 1970-01-01 UTC; 0, which means now, for None."""
    if when is None:
        return 0
    if isinstance(when, datetime):
        if when.tzinfo is None:
            raise InvalidArgumentError("a fetch time needs a time zone: datetime.now(timezone.utc)")
        when = when.timestamp()
    if isinstance(when, bool) or not isinstance(when, (int, float)):
        raise TypeError(f"a fetch time has to be a datetime or seconds since 1970, not {type(when).__name__}")
    try:
        out = round(when * 1000)
    except (OverflowError, ValueError):
        raise InvalidArgumentError(f"{when} is no time") from None
    if not 0 < out < 1 << 63:
        raise InvalidArgumentError(f"a fetch time has to be after 1970-01-01 UTC, not {when}")
    return out


@lru_cache(maxsize=256)
def _content_type(value: str) -> tuple[Any, int]:
    raw = value.encode("utf-8", "replace")
    return ffi.from_buffer(raw), len(raw)


def page_fields(
    url: Optional[Url], body: Body, content_type: Optional[str], fetched_at: Optional[When], truncated: bool
) -> tuple[Any, ...]:
    """The fields of an nd_page, to be kept as long as it is used: they keep what it points to."""
    if type(body) is not bytes:
        body = body_bytes(body)
    if url is None:
        address, address_size = _NULL, 0
    else:
        raw = url.encode("utf-8", "surrogateescape") if type(url) is str else url_bytes(url)
        address, address_size = _from_buffer(raw), len(raw)
    if content_type is None:
        kind, kind_size = _NULL, 0
    elif isinstance(content_type, str):
        kind, kind_size = _content_type(content_type)
    else:
        raise TypeError(f"a content type has to be str, not {type(content_type).__name__}")
    when = 0 if fetched_at is None else milliseconds(fetched_at)
    flags = _TRUNCATED if truncated else 0
    return _PAGE_SIZE, flags, address, address_size, _from_buffer(body), len(body), kind, kind_size, when


def page_of(
    url: Optional[Url], body: Body, content_type: Optional[str], fetched_at: Optional[When], truncated: bool
) -> tuple[Any, Any]:
    """An nd_page, and what has to stay alive as long as it is used."""
    fields = page_fields(url, body, content_type, fetched_at, truncated)
    return ffi.new(_PAGE, fields), fields


def option_text(key: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, float):
        # No exponent, which the library does not read.
        return f"{value:.12f}".rstrip("0").rstrip(".")
    raise TypeError(f"option {key} has to be str, int, float or bool, not {type(value).__name__}")


@contextmanager
def native_options(options: Options) -> Iterator[Any]:
    """An nd_options with these values, or NULL if there are none."""
    if not options:
        yield ffi.NULL
        return
    out = ffi.new("nd_options **")
    call(lib.nd_options_new, out)
    raw = out[0]
    try:
        for key, value in options.items():
            if "\0" in (word := option_text(key, value)) or "\0" in key:
                raise InvalidArgumentError(f"option {key!r}: there is a NUL in {word!r}")
            call(lib.nd_options_set, raw, key.encode("utf-8", "replace"), word.encode("utf-8", "replace"))
        yield raw
    finally:
        lib.nd_options_free(raw)
