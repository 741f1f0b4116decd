"""The engine: what was fetched so far, and what a page is beside it."""

from __future__ import annotations

import json
import os
import warnings
import weakref
from array import array
from collections.abc import Iterator
from struct import Struct
from typing import TYPE_CHECKING, Any, Optional, Union

from ndc_dedup import _engine_state as callbacks
from ndc_dedup._arguments import (
    Body,
    Url,
    When,
    milliseconds,
    native_options,
    page_fields,
    page_of,
    url_bytes,
    url_text,
)
from ndc_dedup._engine_state import EngineState, iterate
from ndc_dedup._library import call, failure_of, filled_buffer, lib
from ndc_dedup._ndcapi import ffi
from ndc_dedup.answers import (
    Event,
    Group,
    PageInfo,
    Result,
    RESULT_BYTES,
    SimilarPage,
    event_kind_of,
    flag_of,
    page_info_of,
    result_of,
)
from ndc_dedup.errors import InvalidArgumentError, NotFoundError
from ndc_dedup.explanation import Explanation
from ndc_dedup.features import Features
from ndc_dedup.option_types import Options

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["NearDuplicates"]

_NOT_FOUND = lib.ND_ERR_NOT_FOUND
_RESULT = ffi.typeof("nd_result *")
_EMPTY_RESULT = (ffi.sizeof("nd_result"),)
_check_page = lib.nd_check_page
_query_page = lib.nd_query_page
_PAGE_INFO_SIZE = ffi.sizeof("nd_page_info")
_GROUP_NUMBERS = 4
_SIZE = Struct("=Q")
_KEEP_RULES = {
    "first": lib.ND_KEEP_FIRST,
    "longest": lib.ND_KEEP_LONGEST,
    "newest": lib.ND_KEEP_NEWEST,
}


class _CallMemory:
    """What a call about a page reads and writes: kept for the next one, since making it takes longer
    than filling it."""

    __slots__ = ("answer", "page", "result")

    def __init__(self) -> None:
        self.page = ffi.new("nd_page *")
        self.result = ffi.new(_RESULT, _EMPTY_RESULT)
        self.answer = ffi.buffer(self.result)


class NearDuplicates:
    """Tells, page by page, whether a page is new, the same as before, or a near-duplicate of one that was there before.

    ``store``: a directory in which the pages stay, made if it is not there; None keeps them in memory. ``options``:
    those of the library (``ndc.options()`` lists them), as str, int, float or bool. A store keeps its persistent
    options and refuses others. Unlike the C interface this opens stores with ``mmap=False`` unless told otherwise: a
    disk that fails is then an exception, not the end of Python.

    Any number of threads may use one engine; the interpreter is free while the library works. ``close()`` waits for
    calls that are under way. An engine is of the process that opened it and cannot be pickled.
    """

    def __init__(self, store: Union[str, os.PathLike[str], None] = None, **options: Unpack[Options]):
        path = ffi.NULL
        if store is not None:
            name = os.fsencode(store)
            if b"\0" in name:
                raise InvalidArgumentError("there is a NUL in the store's path")
            path = ffi.new("char[]", name)
            options.setdefault("mmap", False)
        out = ffi.new("nd_engine **")
        with native_options(options) as native:
            call(lib.nd_open, path, native, out)
        self._store = None if store is None else os.fspath(store)
        self._state = EngineState(out[0])
        self._memory: list[_CallMemory] = []  # of no call that is under way
        self._finalizer = weakref.finalize(self, self._state.close_at_exit)

    @property
    def store(self) -> Optional[str]:
        """The directory that was opened; None in memory."""
        return self._store

    @property
    def closed(self) -> bool:
        return not self._state.is_open

    def close(self) -> None:
        """Takes a last snapshot, if there is a store, and closes it. Closing twice is fine.

        A StoreIOError says that the snapshot could not be written; the engine is closed, and the promise of
        ``durability`` is kept.
        """
        status = self._state.close()
        self._finalizer.detach()
        if status != 0:
            raise failure_of(status)

    def __enter__(self) -> NearDuplicates:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def __del__(self) -> None:
        state = getattr(self, "_state", None)
        if state is not None and state.is_open:
            warnings.warn(f"{self!r} was not closed", ResourceWarning, source=self)

    def __repr__(self) -> str:
        place = "in memory" if self._store is None else repr(self._store)
        return f"<NearDuplicates {place}{', closed' if self.closed else ''}>"

    def __reduce__(self) -> Any:
        raise TypeError(
            "an engine cannot be pickled or copied: it belongs to its process. Other processes open the store with "
            "read_only=True, or compute ndc.Features and send them to the process that has the engine"
        )

    # Pages

    def check(
        self,
        url: Optional[Url],
        body: Body,
        content_type: Optional[str] = None,
        *,
        fetched_at: Optional[When] = None,
        truncated: bool = False,
    ) -> Result:
        """Compares a page with all before it and adds it, as one step.

        ``url``: a URL that comes again is the same page, updated; None is a new page each time. ``body``: as fetched,
        after transfer and content decoding; str is text that somebody has decoded already. ``content_type``: the HTTP
        header's value; ``text/plain`` for plain text. ``fetched_at``: a datetime with a time zone, or seconds since
        1970; None: now. ``truncated``: the body was cut.
        """
        return self._page_decided(_check_page, url, body, content_type, fetched_at, truncated)

    def query(
        self,
        url: Optional[Url],
        body: Body,
        content_type: Optional[str] = None,
        *,
        fetched_at: Optional[When] = None,
        truncated: bool = False,
    ) -> Result:
        """What ``check`` would answer; nothing changes."""
        return self._page_decided(_query_page, url, body, content_type, fetched_at, truncated)

    def own_text(
        self, url: Optional[Url], body: Body, content_type: Optional[str] = None, *, truncated: bool = False
    ) -> str:
        """The text of a page that is its own: without what its site is known to repeat, block by block, each on a
        line. The page need not be known, and nothing changes.

        Of a site of which nothing is known, and where hardly anything would be left, it is the main content as
        ``ndc.extract`` weighs it; "" if there is none.
        """
        page, keep = page_of(url, body, content_type, None, truncated)
        return self._text(lib.nd_own_text, page)

    def check_with_text(
        self,
        url: Optional[Url],
        body: Body,
        content_type: Optional[str] = None,
        *,
        fetched_at: Optional[When] = None,
        truncated: bool = False,
    ) -> tuple[Result, str]:
        """``check``, and the page's ``own_text`` by what was known of its site before this page: both by one reading
        of the page."""
        page, keep = page_of(url, body, content_type, fetched_at, truncated)
        result = ffi.new(_RESULT, _EMPTY_RESULT)
        text = self._text(lib.nd_check_page_text, page, result)
        return result_of(ffi.buffer(result)), text

    def _text(self, function: Any, *arguments: Any) -> str:
        return filled_buffer(lambda *given: self._state.call(function, *given), *arguments).decode("utf-8", "replace")

    def check_features(self, features: Union[Features, bytes]) -> Result:
        """``check`` for a page whose features were computed elsewhere."""
        raw = bytes(features)
        result = ffi.new(_RESULT, _EMPTY_RESULT)
        self._state.require(lib.nd_check_features, ffi.from_buffer(raw), len(raw), result)
        return result_of(ffi.buffer(result))

    def settle(self) -> Iterator[tuple[str, Result]]:
        """Decides all pages again, in the order in which they came, by what is known of their sites now, and gives the
        URL of each (empty: none) and the answer about it, as of its last text.

        For callers who have checked their whole input and not yet used the answers: the first pages of a site were
        decided when nothing was known of it. Pages keep their ids; one that is in another group now gets an
        ``EventKind.REGROUPED``. Where nothing is asked of sites (``decision="report"``, ``decide="method"``) the
        answers stand, and none is given. Meanwhile no other thread may check or remove pages. An engine with a store
        is refused (InvalidArgumentError), and so is one whose memory budget left no room for some text (LimitError).

        It is done when the call returns; the answers wait in 96 bytes each and their URL.
        """
        packed = bytearray()

        def take(result: Any, url: Any, size: int) -> None:
            packed.extend(ffi.buffer(result, RESULT_BYTES))
            packed.extend(_SIZE.pack(size))
            packed.extend(ffi.buffer(url, size) if size else b"")

        self._iterate(lib.nd_settle, (callbacks.each_settled,), take)
        return _settled_in(packed)

    def _page_decided(
        self,
        function: Any,
        url: Optional[Url],
        body: Body,
        content_type: Optional[str],
        fetched_at: Optional[When],
        truncated: bool,
    ) -> Result:
        fields = page_fields(url, body, content_type, fetched_at, truncated)
        try:
            memory = self._memory.pop()
        except IndexError:
            memory = _CallMemory()
        memory.page[0] = fields
        status = self._state.call_for_page(function, memory.page, memory.result)
        if status != 0:
            raise failure_of(status)
        result = result_of(memory.answer)
        self._memory.append(memory)
        return result

    def remove(self, url: Url) -> bool:
        """Forgets a page; False if there is none with this URL."""
        raw = url_bytes(url)
        return self._found(lib.nd_remove_page, ffi.from_buffer(raw), len(raw))

    def remove_matching(
        self,
        *,
        prefix: Optional[Url] = None,
        site: Optional[str] = None,
        fetched_before: Optional[When] = None,
        purge: bool = False,
    ) -> int:
        """Forgets all pages of which everything that is given holds; how many. ``purge``: their texts too, where they
        represent groups that go on. It is many changes: one that fails has removed some, and the same call goes on."""
        conditions = ffi.new("nd_filter *")
        conditions.struct_size = ffi.sizeof("nd_filter")
        keep = []
        for name, value in (("url_prefix", prefix), ("site", site)):
            if value is not None:
                raw = url_bytes(value)
                keep.append(ffi.from_buffer(raw))
                setattr(conditions, name, keep[-1])
                setattr(conditions, name + "_size", len(raw))
        if fetched_before is not None:
            conditions.fetched_before_ms = milliseconds(fetched_before)
        if purge:
            conditions.flags = lib.ND_REMOVE_PURGE
        removed = ffi.new("uint64_t *")
        self._state.require(lib.nd_remove_matching, conditions, removed)
        return int(removed[0])

    # What is known

    def find(self, url: Url) -> Optional[PageInfo]:
        """The page of a URL."""
        raw = url_bytes(url)
        info = ffi.new("nd_page_info *")
        info.struct_size = _PAGE_INFO_SIZE
        found = self._found(lib.nd_find_page, ffi.from_buffer(raw), len(raw), info)
        return page_info_of(info, raw.decode("utf-8", "surrogateescape")) if found else None

    def page(self, page_id: int) -> Optional[PageInfo]:
        """The page of an id."""
        return self._page_with_url(lib.nd_get_page, _id(page_id))

    def _page_with_url(self, function: Any, *arguments: Any) -> Optional[PageInfo]:
        capacity = 2048
        while True:
            info = ffi.new("nd_page_info *")
            info.struct_size = _PAGE_INFO_SIZE
            url = ffi.new("char[]", capacity)
            size = ffi.new("size_t *", capacity)
            status = self._state.call(function, *arguments, info, url, size)
            if status == lib.ND_ERR_LIMIT and size[0] >= capacity:
                capacity = size[0] + 1
                continue
            return page_info_of(info, url_text(url, size[0])) if self._is_found(status) else None

    def __contains__(self, url: object) -> bool:
        return isinstance(url, (str, bytes)) and self.find(url) is not None

    def __len__(self) -> int:
        """How many pages there are."""
        return self.stats()["pages"]

    def __bool__(self) -> bool:
        return True

    def members(self, group_id: int) -> list[PageInfo]:
        """The pages of a group, oldest first. Raises NotFoundError for an unknown group."""
        out: list[PageInfo] = []
        self._iterate(
            lib.nd_each_page,
            (_id(group_id), callbacks.each_page),
            lambda info, url, size: out.append(page_info_of(info, url_text(url, size))),
        )
        return out

    def kept(self, group_id: int, rule: str = "first") -> PageInfo:
        """The page of a group that is kept when the others are left out: the ``first``, the ``longest`` or the
        ``newest``. Raises NotFoundError for an unknown group.
        """
        number = _KEEP_RULES.get(rule)
        if number is None:
            raise InvalidArgumentError(f"rule has to be one of {', '.join(_KEEP_RULES)}, not {rule!r}")
        page = self._page_with_url(lib.nd_kept_page, _id(group_id), number)
        if page is None:
            raise NotFoundError(f"no group has the id {group_id}")
        return page

    def groups(self) -> Iterator[Group]:
        """All groups as of now, ascending by id. They wait in 32 bytes each, whatever is done with the iterator."""
        numbers = array("Q")
        self._iterate(lib.nd_each_group, (callbacks.each_group,), numbers.extend)
        return _groups_in(numbers)

    def events(self, after: int = 0) -> Iterator[Event]:
        """What has changed after it was answered, behind the event of this sequence. The last
        ``events_limit`` are kept."""
        out: list[Event] = []

        def take(raw: Any) -> None:
            kind = event_kind_of(raw.kind)
            out.append(
                Event(raw.sequence, kind, raw.page_id, raw.old_group_id or None, raw.new_group_id or None, raw.at_ms)
            )

        self._iterate(lib.nd_each_event, (_id(after), callbacks.each_event), take)
        return iter(out)

    def compare(self, a: Union[int, Url], b: Union[int, Url]) -> Result:
        """Whether two known pages, by id or URL, are the same document by what is known now: EXACT or NEAR. The result
        is about ``b``; ``a`` plays the representative. Members of a group are compared with its representative, not
        with each other, so ask before ``b`` is left out because ``a`` is kept."""
        pages = self._page_id(a), self._page_id(b)
        result = ffi.new(_RESULT, _EMPTY_RESULT)
        self._state.require(lib.nd_compare_pages, *pages, result)
        return result_of(ffi.buffer(result))

    def explain(self, a: Union[int, Url], b: Union[int, Url]) -> Explanation:
        """Why two pages, by id or URL, are or are not near-duplicates; ``a`` plays the representative."""
        pages = self._page_id(a), self._page_id(b)
        raw = filled_buffer(lambda *arguments: self._state.call(lib.nd_explain, *arguments), *pages)
        return Explanation(json.loads(raw.decode("utf-8", "replace")))

    def similar(self, page: Union[int, Url], limit: int = 10) -> list[SimilarPage]:
        """The known pages, at most 1000, that are most like a known one, best first."""
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= lib.ND_SIMILAR_PAGES_MAX:
            raise InvalidArgumentError(f"limit has to be 1..{lib.ND_SIMILAR_PAGES_MAX}, not {limit!r}")
        out: list[SimilarPage] = []

        def take(raw: Any, url: Any, size: int) -> None:
            out.append(SimilarPage(url_text(url, size), raw.page_id, raw.group_id, raw.score, flag_of(raw.flags)))

        self._iterate(lib.nd_similar_pages, (self._page_id(page), limit, callbacks.each_similar), take)
        return out

    # Monitoring

    def stats(self) -> dict[str, int]:
        """The counters of ``nd_stats`` by their names: pages, groups, checks, verdict_near, bytes_total, …"""
        raw = ffi.new("nd_stats *")
        raw.struct_size = ffi.sizeof("nd_stats")
        self._state.require(lib.nd_get_stats, raw)
        return {name: getattr(raw, name) for name in _STATS}

    def metrics(self) -> dict[str, float]:
        """What ``metrics_text()`` has, by the names of the samples, labels included."""
        samples = (
            line.rpartition(" ") for line in self.metrics_text().splitlines() if line and not line.startswith("#")
        )
        return {name: float(value) for name, _, value in samples}

    def metrics_text(self) -> str:
        """The counters and the latencies of ``check`` in the text format of Prometheus."""
        return filled_buffer(lambda buffer: self._state.call(lib.nd_metrics, buffer)).decode("utf-8")

    # The store

    def snapshot(self) -> None:
        """Makes everything durable that was answered so far, whatever the durability."""
        self._state.require(lib.nd_snapshot)

    def compact(self) -> None:
        """A snapshot that rewrites the store without what was removed and changed."""
        self._state.require(lib.nd_compact)

    def refresh(self) -> None:
        """Moves an engine with ``read_only=True`` to the newest snapshot."""
        self._state.require(lib.nd_refresh)

    def set_bookmark(self, name: str, data: bytes) -> None:
        """Remembers where a reader stood, durable with the pages before it; empty data forgets it."""
        self._state.require(lib.nd_set_bookmark, _name(name), ffi.from_buffer(data), len(data))

    def get_bookmark(self, name: str) -> Optional[bytes]:
        raw_name = _name(name)
        try:
            return filled_buffer(lambda buffer: self._state.call(lib.nd_get_bookmark, raw_name, buffer))
        except NotFoundError:
            return None

    # Inside

    def _found(self, function: Any, *arguments: Any) -> bool:
        return self._is_found(self._state.call(function, *arguments))

    @staticmethod
    def _is_found(status: int) -> bool:
        if status == _NOT_FOUND:
            return False
        if status != 0:
            raise failure_of(status)
        return True

    def _page_id(self, page: Union[int, Url]) -> int:
        if isinstance(page, int):
            return _id(page)
        found = self.find(page)
        if found is None:
            raise NotFoundError(f"no page has the URL {page!r}")
        return found.page_id

    def _iterate(self, function: Any, arguments: tuple[Any, ...], take: Any) -> None:
        status = iterate(lambda context: self._state.call(function, *arguments, context), take)
        if status != 0:
            raise failure_of(status)


_STATS = tuple(name for name, _ in ffi.typeof("nd_stats").fields if name not in ("struct_size", "reserved"))


def _id(number: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"an id has to be int, not {type(number).__name__}")
    if not 0 <= number < 1 << 64:
        raise InvalidArgumentError(f"{number} is no id")
    return number


def _name(name: str) -> Any:
    raw = name.encode("utf-8", "surrogateescape")
    if b"\0" in raw:
        raise InvalidArgumentError("there is a NUL in the name")
    return ffi.new("char[]", raw)


def _groups_in(numbers: array[int]) -> Iterator[Group]:
    for i in range(0, len(numbers), _GROUP_NUMBERS):
        group_id, page_count, representative, tombstone = numbers[i : i + _GROUP_NUMBERS]
        yield Group(group_id, page_count, None if tombstone else representative)


def _settled_in(packed: bytearray) -> Iterator[tuple[str, Result]]:
    view, at = memoryview(packed), 0
    while at < len(packed):
        begin = at + RESULT_BYTES + _SIZE.size
        (size,) = _SIZE.unpack_from(packed, begin - _SIZE.size)
        url = packed[begin : begin + size].decode("utf-8", "surrogateescape")
        yield url, result_of(view[at:])
        at = begin + size
