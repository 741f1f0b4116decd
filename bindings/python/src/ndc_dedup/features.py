"""What a page is compared by, without an engine: for many processes, and for hosts with a small field a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from ndc_dedup._arguments import Body, Url, When, native_options, page_of
from ndc_dedup._library import call, filled_buffer, lib, numbers_of
from ndc_dedup._ndcapi import ffi
from ndc_dedup.answers import Result, result_of
from ndc_dedup.option_types import Options

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Features", "Signature", "SiteModel"]


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
        **options: Unpack[Options],
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
    def parts(self) -> tuple[int, ...]:
        """The hashes under which a site counts the page: of its blocks of text and the words of its title."""
        return self._read(lib.nd_features_parts)

    def with_site(self, site: SiteModel) -> Features:
        """The same page with what its site, which has learned it, knows of it; its keys are without the site's
        boilerplate."""
        saved = site.save(self)
        raw = ffi.from_buffer(self._raw)
        return Features(filled_buffer(lib.nd_features_with_site, raw, len(self._raw), saved, len(saved)))

    def decide(self, other: Features, **options: Unpack[Options]) -> Result:
        """Whether two pages are the same document, by what both carry of their sites; this one plays the
        representative. The result is EXACT, NEAR, NEW (different) or NO_TEXT; its ids are 0."""
        if not isinstance(other, Features):
            raise TypeError(f"Features are compared with Features, not with {type(other).__name__}")
        raw = ffi.new("nd_result *")
        raw.struct_size = ffi.sizeof("nd_result")
        with native_options(options) as native:
            a, b = ffi.from_buffer(self._raw), ffi.from_buffer(other._raw)
            call(lib.nd_features_decide, a, len(self._raw), b, len(other._raw), native, raw)
        return result_of(ffi.buffer(raw))


class SiteModel:
    """What is known of one site: on how many of its pages each block stands, and each word of its titles. With it two
    records are decided as an engine decides that knows these pages. Not for several threads at once. Pickled and sent
    elsewhere as ``save()``."""

    def __init__(self, saved: bytes = b""):
        out = ffi.new("nd_site_model **")
        call(lib.nd_site_model_new, out)
        self._model = ffi.gc(out[0], lib.nd_site_model_free)
        if saved:
            self.merge(saved)

    def learn(self, page: Features) -> None:
        """A page of the site; each once."""
        self._change(lib.nd_site_model_learn, page)

    def forget(self, page: Features) -> None:
        """A page that was learned is gone, or has other text now."""
        self._change(lib.nd_site_model_forget, page)

    def merge(self, saved: bytes) -> None:
        """Adds what another model has learned."""
        call(lib.nd_site_model_merge, self._model, ffi.from_buffer(saved), len(saved))

    def save(self, page: Optional[Features] = None) -> bytes:
        """As bytes: portable, versioned, with a checksum; with a page only what is known of its parts."""
        parts = ffi.NULL if page is None else ffi.new("uint64_t[]", page.parts)
        count = 0 if page is None else len(parts)
        return bytes(filled_buffer(lib.nd_site_model_save, self._model, parts, count))

    def weights(self, page: Features) -> tuple[float, ...]:
        """Experimental: how much each block of a learned page is the page's own, 0 to 1, in document order."""
        raw = ffi.from_buffer(bytes(page))
        count = ffi.new("size_t *")
        call(lib.nd_site_model_weights, self._model, raw, len(page), ffi.NULL, count)
        out = ffi.new("double[]", count[0])
        call(lib.nd_site_model_weights, self._model, raw, len(page), out if count[0] else ffi.NULL, count)
        return tuple(out)

    def _change(self, function: Any, page: Features) -> None:
        parts = page.parts
        call(function, self._model, ffi.new("uint64_t[]", parts), len(parts))

    def __reduce__(self) -> Any:
        return type(self), (self.save(),)


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
        **options: Unpack[Options],
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
