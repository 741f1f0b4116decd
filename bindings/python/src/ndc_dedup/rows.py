"""Many pages, one row each: archives, records, or whatever gives URLs and bodies."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from ndc_dedup._arguments import Body, Url, When
from ndc_dedup.answers import Flag, Result, Verdict
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import InvalidArgumentError
from ndc_dedup.option_types import Options

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Page", "Row", "dedup"]


class Page(NamedTuple):
    """A page to be checked; the arguments of ``NearDuplicates.check``."""

    url: Optional[Url]
    body: Body
    content_type: Optional[str] = None
    fetched_at: Optional[When] = None
    truncated: bool = False


class Row(NamedTuple):
    """What was answered about one page; the names are those of the JSON lines of ``ndc dedup``."""

    url: str
    group_id: Optional[int]
    """None: an earlier text of the page, which matched no page (docs/guide-cli.md, "What a row says")."""
    verdict: Verdict
    representative: Optional[str]
    """URL of the matched page; of a new page, its own; None: that page is known no more."""
    resemblance: Optional[float]
    """None: there was no comparison."""
    containment: Optional[float]
    probability: float
    """That the page is the same document as the matched one; of a new page as that of ``related_group_id``."""
    page_id: int
    flags: Flag
    related_group_id: Optional[int]
    """Of a new page the group that it resembles most, which was compared and refused; None: none."""

    @property
    def is_duplicate(self) -> bool:
        return self.verdict is Verdict.EXACT or self.verdict is Verdict.NEAR


Record = Union[Page, "tuple[Any, ...]", Mapping[str, Any]]
Source = Union[str, "os.PathLike[str]", Record]


def dedup(
    sources: Union[Source, Iterable[Source]],
    *,
    engine: Optional[NearDuplicates] = None,
    store: Union[str, os.PathLike[str], None] = None,
    **options: Unpack[Options],
) -> Iterator[Row]:
    """Checks page after page and yields a row for each, as they come: by what is known of its site by then. (Afterwards
    ``NearDuplicates.settle`` decides all of them again, if an engine of the caller has them.)

    ``sources``: paths of WARC files (``ndc.warc.pages`` says which records are pages; needs warcio), and
    records: ``Page``, tuples ``(url, body)`` to ``(url, body, content_type, fetched_at, truncated)``, or mappings
    with these names. ``engine``: one that is there already; else one is opened with ``store`` and ``options``, and
    closed at the end.
    """
    if engine is not None and (store is not None or options):
        raise InvalidArgumentError("an engine has its store and its options already")
    each: Iterable[Any]
    if isinstance(sources, (str, os.PathLike, Mapping, Page)):
        each = [sources]
    elif not isinstance(sources, Iterable) or isinstance(sources, (bytes, bytearray, memoryview)):
        raise TypeError(f"sources have to be paths or records, not {type(sources).__name__}")
    else:
        each = sources
    return _rows(each, engine, store, options)


def _rows(
    sources: Iterable[Any],
    engine: Optional[NearDuplicates],
    store: Union[str, os.PathLike[str], None],
    options: Options,
) -> Iterator[Row]:
    with opened(engine, store, options) as checking:
        for page in pages_of(sources):
            yield row_of(checking, page.url, check(checking, page))


def opened(
    engine: Optional[NearDuplicates], store: Union[str, os.PathLike[str], None], options: Options
) -> AbstractContextManager[NearDuplicates]:
    """The engine of the caller, which stays open, or one that is opened here and closed at the end."""
    if engine is None:
        return NearDuplicates(store, **options)
    if store is not None or options:
        raise InvalidArgumentError("an engine has its store and its options already")
    return nullcontext(engine)


def check(engine: NearDuplicates, page: Page) -> Result:
    return engine.check(page.url, page.body, page.content_type, fetched_at=page.fetched_at, truncated=page.truncated)


def pages_of(sources: Iterable[Any]) -> Iterator[Page]:
    """The pages of paths and records."""
    for number, source in enumerate(sources):
        if isinstance(source, (str, os.PathLike)):
            from ndc_dedup import warc

            yield from warc.pages(source)
        else:
            yield page_of_record(source, number)


def page_of_record(record: Any, number: int) -> Page:
    """A Page of what a caller gives as record `number`."""
    if isinstance(record, Page):
        return record
    try:
        if isinstance(record, Mapping):
            return Page(**record)
        if isinstance(record, tuple):
            return Page(*record)
    except TypeError:
        what = f"the names {sorted(map(str, record))}" if isinstance(record, Mapping) else f"{len(record)} members"
        raise InvalidArgumentError(
            f"record {number} has {what}; a page is url, body and perhaps content_type, fetched_at, truncated"
        ) from None
    raise TypeError(f"record {number} has to be a path, a Page, a tuple or a mapping, not {type(record).__name__}")


def row_of(engine: NearDuplicates, url: Optional[Url], result: Result) -> Row:
    """The row of an answer of this engine."""
    name = "" if url is None else url if isinstance(url, str) else url.decode("utf-8", "surrogateescape")
    other = result.matched_page_id or result.group_id
    representative: Optional[str] = name
    if other != result.page_id:
        found = engine.page(other) if other else None
        representative = found.url if found is not None else None
    matched = result.is_duplicate
    return Row(
        name,
        result.group_id or None,
        result.verdict,
        representative,
        result.resemblance if matched else None,
        result.containment if matched else None,
        result.probability,
        result.page_id,
        result.flags,
        result.related_group_id or None,
    )
