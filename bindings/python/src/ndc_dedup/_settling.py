"""Rows that wait until the last one was checked: then all pages are decided again, by what is known of their sites."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Optional, Union

from ndc_dedup._arguments import Url, url_bytes
from ndc_dedup.answers import RESULT_BYTES, Flag, Result, Verdict, packed_result, result_of
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import LimitError
from ndc_dedup.option_types import Options

__all__ = ["SettledRow", "WaitingRows", "asks_sites"]

logger = logging.getLogger("ndc_dedup")

_NO_ANSWER = bytes(RESULT_BYTES)
_HISTORY = Flag.RECRAWL | Flag.CHANGED | Flag.REGROUPED


def asks_sites(options: Options) -> bool:
    """Whether an engine with these options decides by what it knows of sites. (If not, settling changes nothing.)"""
    return options.get("decision") != "report" and options.get("decide") != "method"


class SettledRow(NamedTuple):
    answer: Optional[Result]
    """None: the row has no text."""
    url: Optional[Url]
    """As the engine knows the row."""
    has_earlier_text: bool
    """A later row has changed the text of this page."""


class WaitingRows:
    """The answers about rows, in their order. They take 88 bytes each, and what the engine knows a row by some 200."""

    def __init__(self, engine: NearDuplicates) -> None:
        self._engine = engine
        self._answers = bytearray()
        self._names: list[Optional[bytes]] = []
        self._last_row: dict[Union[bytes, int], int] = {}  # of a URL, or of a page without one, with its last text

    def add(self, url: Optional[Url], answer: Optional[Result]) -> None:
        name = None if url is None else url_bytes(url)
        if answer is not None and answer.verdict is not Verdict.UNCHANGED:
            self._last_row[name or answer.page_id] = len(self._names)
        self._names.append(name)
        self._answers += _NO_ANSWER if answer is None else packed_result(answer)

    def settled(self) -> Iterator[SettledRow]:
        """After the last row: the rows with what is decided now.

        The row of a page's last text has the settled answer, and where the page came again unchanged, that of its
        check with the ids that the page has now. The row of an earlier text has the answer of its check, and the group
        that the page which it matched is in now; 0 if it matched none, since nothing that is known at the end has that
        text. Where nothing could be decided again, all rows are as they came.
        """
        is_settled = True
        try:
            for url, answer in self._engine.settle():
                row = self._last_row.get(url_bytes(url) or answer.page_id)
                if row is not None:
                    self._replace(row, answer)
        except LimitError as failure:
            logger.warning("rows stay as they were decided when they came: %s", failure)
            is_settled = False
        return self._rows(is_settled)

    def _replace(self, row: int, answer: Result) -> None:
        begin = row * RESULT_BYTES
        earlier = result_of(memoryview(self._answers)[begin:])
        answer = answer._replace(flags=answer.flags | (earlier.flags & _HISTORY))
        self._answers[begin : begin + RESULT_BYTES] = packed_result(answer)

    def _rows(self, is_settled: bool) -> Iterator[SettledRow]:
        view = memoryview(self._answers)
        for row, name in enumerate(self._names):
            raw = view[row * RESULT_BYTES : (row + 1) * RESULT_BYTES]
            if raw == _NO_ANSWER:
                yield SettledRow(None, name, False)
                continue
            answer = result_of(raw)
            last_row = self._last_row.get(name, row) if name else row
            if name and is_settled and last_row != row:
                answer = self._with_present_ids(name, answer, row < last_row)
            yield SettledRow(answer, name, last_row != row and answer.verdict is not Verdict.UNCHANGED)

    def _with_present_ids(self, name: bytes, answer: Result, is_of_earlier_text: bool) -> Result:
        page = self._engine.find(name)
        if page is not None:
            answer = answer._replace(page_id=page.page_id, group_id=page.group_id)
        if not is_of_earlier_text:
            return answer
        # The page's group is that of its last text, which may be quite another one.
        matched = self._engine.page(answer.matched_page_id) if answer.matched_page_id else None
        return answer._replace(group_id=matched.group_id if matched is not None else 0)
