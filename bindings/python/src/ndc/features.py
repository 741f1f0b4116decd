"""What a page is compared by, without an engine: for many processes, and for hosts with a small field a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional, Union

from ndc._arguments import Body, OptionValue, Url, When, native_options, page_of
from ndc._library import call, filled_buffer, lib, numbers_of
from ndc._ndcapi import ffi
from ndc.answers import Result, result_of

__all__ = ["Features", "Signature"]


class _Record:
    """Immutable bytes with a meaning, which can be compared, hashed, pickled and sent elsewhere as
    ``bytes(record)``."""

    __slots__ = ("_raw",)
    _raw: bytes

    def __init__(self, raw: Union[bytes, bytearray, memoryview]):
        if isinstance(raw, (str, int)):
            raise TypeError(
                f"{type(self).__name__} are made of bytes, not {type(raw).__name__}; {type(self).__name__}.compute "
                "makes them of a page"
            )
        object.__setattr__(self, "_raw", bytes(raw))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __bytes__(self) -> bytes:
        return self._raw

    def __len__(self) -> int:
        return len(self._raw)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._raw == self._raw

    def __hash__(self) -> int:
        return hash((type(self), self._raw))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._raw)} bytes>"

    def __reduce__(self) -> Any:
        return type(self), (self._raw,)

    def _read(self, function: Any) -> tuple[int, ...]:
        return numbers_of(function, ffi.from_buffer("uint8_t[]", self._raw), len(self._raw))


class Features(_Record):
    """Everything that is needed to compare a page later and elsewhere; portable between machines, versioned,
    with a checksum."""

    __slots__ = ()

    @classmethod
    def compute(
        cls,
        url: Optional[Url],
        body: Body,
        content_type: Optional[str] = None,
        *,
        fetched_at: Optional[When] = None,
        truncated: bool = False,
        **options: OptionValue,
    ) -> Features:
        """Those of a page; arguments as for ``NearDuplicates.check``, and options."""
        page, keep = page_of(url, body, content_type, fetched_at, truncated)
        with native_options(options) as native:
            return cls(filled_buffer(lib.nd_features_compute, page, native))

    @property
    def keys(self) -> tuple[int, ...]:
        """Candidate keys: pages that share one are worth a comparison. The strictest first."""
        return self._read(lib.nd_features_keys)

    @property
    def blocks(self) -> tuple[int, ...]:
        """Hashes of the blocks of text, in the order of the document."""
        return self._read(lib.nd_features_blocks)

    def without(self, blocks: Iterable[int]) -> Features:
        """The same page with these blocks weighing nothing: a site's frame, say."""
        hashes = ffi.new("uint64_t[]", list(blocks))
        raw = ffi.from_buffer(self._raw)
        return Features(filled_buffer(lib.nd_features_without, raw, len(self._raw), hashes, len(hashes)))

    def compare(self, other: Features, **options: OptionValue) -> Result:
        """Compares two pages; this one plays the representative. The result is EXACT, NEAR, NEW (different) or NO_TEXT;
        its ids are 0."""
        if not isinstance(other, Features):
            raise TypeError(f"Features compare with Features, not with {type(other).__name__}")
        raw = ffi.new("nd_result *")
        raw.struct_size = ffi.sizeof("nd_result")
        with native_options(options) as native:
            a, b = ffi.from_buffer(self._raw), ffi.from_buffer(other._raw)
            call(lib.nd_features_compare, a, len(self._raw), b, len(other._raw), native, raw)
        return result_of(ffi.buffer(raw))


class Signature(_Record):
    """A sketch of at most 127 bytes. It knows no site and no template, so it decides less well. Empty for a page
    without text."""

    __slots__ = ()

    @classmethod
    def compute(
        cls,
        url: Optional[Url],
        body: Body,
        content_type: Optional[str] = None,
        *,
        truncated: bool = False,
        **options: OptionValue,
    ) -> Signature:
        """That of a page; arguments as for ``NearDuplicates.check``, and options."""
        page, keep = page_of(url, body, content_type, None, truncated)
        out = ffi.new("uint8_t[]", lib.ND_SIGNATURE_MAX_SIZE)
        size = ffi.new("size_t *", lib.ND_SIGNATURE_MAX_SIZE)
        with native_options(options) as native:
            call(lib.nd_signature_compute, page, native, out, size)
        return cls(ffi.buffer(out, size[0])[:])

    @property
    def keys(self) -> tuple[int, ...]:
        """Candidate keys, at most 32."""
        return self._read(lib.nd_signature_keys)

    def similarity(self, other: Signature) -> float:
        """Estimated similarity of the main content of two pages, 0 to 1."""
        if not isinstance(other, Signature):
            raise TypeError(f"signatures compare with signatures, not with {type(other).__name__}")
        out = ffi.new("double *")
        a, b = ffi.from_buffer("uint8_t[]", self._raw), ffi.from_buffer("uint8_t[]", other._raw)
        call(lib.nd_signature_compare, a, len(self._raw), b, len(other._raw), out)
        return float(out[0])
