"""What the calls answer: small immutable records, which can be compared, hashed and pickled."""

from __future__ import annotations

import enum
from datetime import datetime, timedelta, timezone
from struct import Struct
from typing import Any, NamedTuple, Optional

__all__ = [
    "Event",
    "EventKind",
    "Flag",
    "Group",
    "OptionInfo",
    "PageInfo",
    "Result",
    "SimilarPage",
    "StoreFault",
    "Verdict",
]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Verdict(str, enum.Enum):
    """What a page is, beside those before it. Each is also its word: ``result.verdict == "near"``."""

    NEW = "new"
    """It founds a group of its own."""
    UNCHANGED = "unchanged"
    """The same URL with the same text as before."""
    EXACT = "exact"
    """All normalised visible text equals that of the matched page, which is one of the group."""
    NEAR = "near"
    """A near-duplicate, verified against the group's representative (unless ``Flag.UNVERIFIED`` is set)."""
    NO_TEXT = "no-text"
    """Empty, an image, a PDF: a group of its own, never a duplicate."""

    def __str__(self) -> str:
        return self.value


class Flag(enum.IntFlag):
    """What else there is to know about an answer."""

    RECRAWL = 1 << 0
    """The URL was known."""
    CHANGED = 1 << 1
    """And its text differs from the last time."""
    REGROUPED = 1 << 2
    """The page moved to another group."""
    TRUNCATED = 1 << 3
    """The body was cut, by the fetcher or by a limit; two such pages are never duplicates."""
    LIMIT = 1 << 4
    """Some work was cut by a limit; ``stats()`` says which."""
    SHORT = 1 << 5
    """Less main content than 140 wide: little tells the page from others."""
    CONTAINS = 1 << 6
    """The page contains the matched page and much more: dropping it would lose text."""
    CONTAINED = 1 << 7
    """The matched page contains the page and much more."""
    UNVERIFIED = 1 << 8
    """Near by the score of option ``detector`` alone."""
    UNCERTAIN = 1 << 9
    """Near with little text, of which a word may make another document, and not probable enough: keep the page."""

    @property
    def words(self) -> tuple[str, ...]:
        """The names in lower case, in the order of the bits: ``("recrawl", "changed")``."""
        return tuple(flag.name.lower() for flag in Flag if flag.name and flag in self)


CAUTION = 0x00FF02D8
"""ND_FLAGS_CAUTION: with one of these leaving a near-duplicate out may lose text."""


class EventKind(str, enum.Enum):
    """What happened to a page or a group after it was answered."""

    REGROUPED = "regrouped"
    REMOVED = "removed"
    REELECTED = "reelected"
    LIMIT = "limit"

    def __str__(self) -> str:
        return self.value


class Result(NamedTuple):
    """The answer about one page."""

    verdict: Verdict
    flags: Flag
    page_id: int
    """Never 0 after ``check``, never reused; 0 from ``query`` for a URL that is not known."""
    group_id: int
    """The ``page_id`` of the page that founded the group; 0 from ``query`` for a page that would found one."""
    matched_page_id: int
    """Of EXACT the page whose text is equal, of NEAR the group's representative; 0: none, or one that is gone or has
    changed."""
    resemblance: float
    """Of the page and the matched one, 0 to 1: what both have in common of what either has."""
    containment: float
    """What both have in common of the smaller one, 0 to 1."""
    page_coverage: float
    """What both have in common of this page, 0 to 1."""
    matched_coverage: float
    """What both have in common of the other page, 0 to 1."""
    probability: float
    """That the page is the same document as the matched one, 0 to 1: 1 of EXACT and UNCHANGED; of NEW that of the best
    candidate, below option ``same_document``. 0 of NEAR and NEW where ``decision`` is
    ``report``, or a detector decides."""
    related_group_id: int
    """Of NEW the group of that candidate, which was compared and refused; 0: none."""

    @property
    def is_duplicate(self) -> bool:
        """The verdict is EXACT or NEAR."""
        return self.verdict is Verdict.EXACT or self.verdict is Verdict.NEAR

    @property
    def is_part(self) -> bool:
        """The page contains the matched one and much more, or lies in it with much more."""
        return bool(self.flags & (Flag.CONTAINS | Flag.CONTAINED))

    @property
    def is_copy(self) -> bool:
        """Hardly anything is lost without the page: EXACT, or NEAR, no part, known as a whole and not UNCERTAIN."""
        return self.verdict is Verdict.EXACT or (self.verdict is Verdict.NEAR and not self.flags & CAUTION)

    @property
    def is_founder(self) -> bool:
        """The page founded its group. A page that is UNCHANGED and no founder was a duplicate when it was new."""
        return self.group_id == self.page_id


class PageInfo(NamedTuple):
    """What is known of a page."""

    url: str
    page_id: int
    group_id: int
    verdict: Verdict
    """Of the last check that found new or changed text, as are the flags, ``matched_page_id`` and the ratios."""
    flags: Flag
    first_fetched_at_ms: int
    """Milliseconds since 1970-01-01 UTC."""
    last_fetched_at_ms: int
    text_width: int
    """Visible text; a wide (CJK) character counts 2."""
    text_hash: int
    """With ``text_width`` it tells whether the text of a page has changed."""
    matched_page_id: int
    resemblance: float
    containment: float
    probability: float
    """As in the ``Result`` of that check, like the next one."""
    related_group_id: int
    """The group may be gone by now."""

    @property
    def first_fetched_at(self) -> datetime:
        return _EPOCH + timedelta(milliseconds=self.first_fetched_at_ms)

    @property
    def last_fetched_at(self) -> datetime:
        return _EPOCH + timedelta(milliseconds=self.last_fetched_at_ms)


class Group(NamedTuple):
    """A group of near-duplicates."""

    group_id: int
    page_count: int
    representative_page_id: Optional[int]
    """None: the founder is gone or has changed, and its old text represents the group."""


class Event(NamedTuple):
    """Something that changed after it was answered."""

    sequence: int
    """Ascending, from 1."""
    kind: EventKind
    page_id: int
    """After the event."""
    old_group_id: Optional[int]
    new_group_id: Optional[int]
    at_ms: int
    """The page's fetch time, or the time of the call."""

    @property
    def at(self) -> datetime:
        return _EPOCH + timedelta(milliseconds=self.at_ms)


class SimilarPage(NamedTuple):
    """A page that is like another one."""

    url: str
    page_id: int
    group_id: int
    score: float
    """By the engine's detector, 0 to 1."""
    flags: Flag
    """LIMIT: some work was cut, and pages that are as similar may be missing."""


class StoreFault(NamedTuple):
    """A fault in a file of a store."""

    file: str
    offset: int
    sentence: str


class OptionInfo(NamedTuple):
    """What an option means."""

    key: str
    type: str
    """``integer``, ``number``, ``boolean``, ``choice`` or ``words``."""
    default: str
    range: str
    help: str
    is_persistent: bool
    """A parameter of the algorithm, which a store keeps."""
    needs: str
    """Without these options it has no effect, as ``detector=lcs spotsigs=true``; empty: always."""
    acts_on: str
    """What a call must work with, one of these at least, to have use for it, as ``pages`` or ``keys decisions``."""


# By their numbers in the C interface, which begin at 1.
_VERDICTS = tuple(Verdict)
_EVENT_KINDS = tuple(EventKind)
_FLAGS: dict[int, Flag] = {}


def flag_of(bits: int) -> Flag:
    """Flag(bits), which Python takes its time to make; there are few that occur."""
    found = _FLAGS.get(bits)
    if found is None:
        found = _FLAGS[bits] = Flag(bits)
    return found


def verdict_of(number: int) -> Verdict:
    return _VERDICTS[number - 1]


def event_kind_of(number: int) -> EventKind:
    return _EVENT_KINDS[number - 1]


_tuple = tuple.__new__
_native_result = Struct("@IiIIQQQdddddQ")  # nd_result; tests/test_header.py compares it with the header
_read_result = _native_result.unpack_from
RESULT_BYTES = _native_result.size


def result_of(raw: Any) -> Result:
    """The answer in an nd_result, given as a buffer."""
    numbers = _read_result(raw)
    bits = numbers[2]
    flags = _FLAGS.get(bits)
    if flags is None:
        flags = flag_of(bits)
    return _tuple(Result, (_VERDICTS[numbers[1] - 1], flags, *numbers[4:]))


def packed_result(result: Result) -> bytes:
    """What ``result_of`` reads: far less memory than the tuple takes."""
    return _native_result.pack(RESULT_BYTES, _VERDICTS.index(result.verdict) + 1, result.flags, 0, *result[2:])


def page_info_of(raw: Any, url: str) -> PageInfo:
    return PageInfo(
        url,
        raw.page_id,
        raw.group_id,
        verdict_of(raw.verdict),
        flag_of(raw.flags),
        raw.first_fetched_at_ms,
        raw.last_fetched_at_ms,
        raw.text_width,
        raw.text_hash,
        raw.matched_page_id,
        raw.resemblance,
        raw.containment,
        raw.probability,
        raw.related_group_id,
    )
