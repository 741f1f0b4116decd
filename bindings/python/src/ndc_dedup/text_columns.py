"""What the columns of a table, or the members of lines of JSON, mean to the engine, and which of their rows stay."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple, Optional, Union

from ndc_dedup._arguments import Url, url_bytes
from ndc_dedup.answers import Result, Verdict
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import InvalidArgumentError
from ndc_dedup.leaving_out import LeavingOut, Relation
from ndc_dedup.option_types import Options

VERDICT_COLUMNS = (
    "ndc_group",
    "ndc_verdict",
    "ndc_resemblance",
    "ndc_probability",
    "ndc_related_group",
    "ndc_flags",
)

_ID_PREFIX = "id:"  # how the engine knows a row that has an id and no URL

_UTF8_MARK = b"\xef\xbb\xbf"  # a text of a table is UTF-8, whatever markup in it says


OWN_TEXT_COLUMN = "ndc_own_text"


class TextColumns(NamedTuple):
    """Where the text is, what identifies it, and whether the text that is the row's own is asked for.

    With a URL a text is a page of a site. Without, an id is only an id, and nothing is learned of any site; a text
    without either is one of its own.
    """

    text: str
    id: Optional[str]
    url: Optional[str]
    content_type: str
    own_text: bool = False

    @property
    def added(self) -> tuple[str, ...]:
        """The names of the columns that are added."""
        return (*VERDICT_COLUMNS, OWN_TEXT_COLUMN) if self.own_text else VERDICT_COLUMNS

    def values(self, answer: Optional[Result], own_text: Optional[str]) -> tuple[Any, ...]:
        """What stands in them."""
        values = verdict_values(answer)
        return (*values, own_text) if self.own_text else values

    def options(self, options: Options) -> Options:
        """Plain text is no page: all of it is content."""
        return {"block_weights": "none", **options} if self.content_type.startswith("text/plain") else options

    def check(
        self, engine: NearDuplicates, text: Union[str, bytes, None], id: Any, url: Optional[Url]
    ) -> tuple[Optional[Result], Optional[str]]:
        """The answer, None for a text of None, and the text that is the row's own by what was known before it, if it is
        asked for."""
        if text is None:
            return None, None
        if self.own_text:
            return engine.check_with_text(self.name(id, url), _body(text), self.content_type)
        return engine.check(self.name(id, url), _body(text), self.content_type), None

    def own_text_now(
        self, engine: NearDuplicates, text: Union[str, bytes, None], id: Any, url: Optional[Url]
    ) -> Optional[str]:
        """The text that is the row's own by what is known now, if it is asked for."""
        if text is None or not self.own_text:
            return None
        return engine.own_text(self.name(id, url), _body(text), self.content_type)

    @staticmethod
    def name(id: Any, url: Optional[Url]) -> Optional[Url]:
        """How the engine knows the row."""
        return url if url is not None else None if id is None else f"{_ID_PREFIX}{id}"


def _body(text: Union[str, bytes]) -> Union[str, bytes]:
    return _UTF8_MARK + text if isinstance(text, bytes) else text


class UniqueIds:
    """That each row has an id of its own: of two with one id the engine would take the later text for a change of the
    earlier one. A row that a URL identifies may have any id, but no URL may look like the name of an id."""

    def __init__(self, columns: TextColumns) -> None:
        self._column = columns.id
        self._seen: set[str] = set()

    def take(self, id: Any, url: Optional[Url], place: str) -> None:
        """``place`` names the row in the InvalidArgumentError about an id that was there before, or about a URL."""
        if url is not None and url_bytes(url).startswith(_ID_PREFIX.encode()):
            raise InvalidArgumentError(
                f"{place}: {url!r} is no URL; what begins with {_ID_PREFIX} stands for the ids of rows without a URL"
            )
        if id is None or url is not None:
            return
        text = str(id)
        if text in self._seen:
            raise InvalidArgumentError(
                f"{place}: {self._column!r} is {id!r}, as in an earlier row; ids have to be unique, and without a "
                "column of ids each row is one of its own"
            )
        self._seen.add(text)


def verdict_values(answer: Optional[Result]) -> tuple[Union[int, str, float, list[str], None], ...]:
    """What stands in VERDICT_COLUMNS."""
    if answer is None:
        return (None,) * len(VERDICT_COLUMNS)
    return (
        answer.group_id or None,
        answer.verdict.value,
        answer.resemblance if answer.is_duplicate else None,
        answer.probability,
        answer.related_group_id or None,
        list(answer.flags.words),
    )


class RowChoice:
    """Which rows stay: all, or the new ones with those that are no copies of one that stays."""

    def __init__(self, keep: str, leave_out_parts: bool, counts: Counter[str]) -> None:
        if keep not in ("all", "new"):
            raise InvalidArgumentError(f"keep has to be all or new, not {keep!r}")
        self._keep_all = keep == "all"
        self._leaving_out = LeavingOut(leave_out_parts)
        self._counts = counts

    def relation(
        self, engine: NearDuplicates, answer: Optional[Result], has_earlier_text: bool = False
    ) -> Optional[Relation]:
        """To the rows for which this one might be left out; None: it stays in any case. Threads: any.
        ``has_earlier_text``: a later row has changed it, and what the engine would compare is that row's text."""
        if self._keep_all or answer is None:
            return None
        if has_earlier_text:
            return Relation.OTHER if answer.is_duplicate else None
        # It is in the output of the run that saw it first, or was left out there.
        return Relation.COPY if answer.verdict is Verdict.UNCHANGED else self._leaving_out.relation(engine, answer)

    def stays(self, answer: Optional[Result], relation: Optional[Relation]) -> bool:
        """Counts the row."""
        self._counts["null" if answer is None else answer.verdict.value] += 1
        if self._leaving_out.leaves_out(relation):
            return False
        if relation is not None:
            self._counts["kept_parts" if relation is Relation.PART else "kept_others"] += 1
        return True
