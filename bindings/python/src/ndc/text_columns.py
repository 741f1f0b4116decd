"""What the columns of a table, or the members of lines of JSON, mean to the engine."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from ndc._arguments import OptionValue
from ndc.answers import Result
from ndc.engine import NearDuplicates
from ndc.errors import InvalidArgumentError

VERDICT_COLUMNS = ("ndc_group", "ndc_verdict", "ndc_resemblance")

_UTF8_MARK = b"\xef\xbb\xbf"  # a text of a table is UTF-8, whatever markup in it says


class TextColumns(NamedTuple):
    """Where the text is, and what identifies it.

    With a URL a text is a page of a site. Without, an id is only an id, and nothing is learned of any site; a text
    without either is one of its own.
    """

    text: str
    id: Optional[str]
    url: Optional[str]
    content_type: str

    def options(self, options: dict[str, OptionValue]) -> dict[str, OptionValue]:
        """Plain text is no page: all of it is content. Without URLs it is of no site, of which a frame
        could be learned."""
        if not self.content_type.startswith("text/plain"):
            return options
        return {"block_weights": "none", **({"site_templates": False} if self.url is None else {}), **options}

    def check(
        self, engine: NearDuplicates, text: Union[str, bytes, None], id: Any, url: Optional[str]
    ) -> Optional[Result]:
        """None for a text of None."""
        if text is None:
            return None
        name = url if url is not None else None if id is None else f"id:{id}"
        return engine.check(name, _UTF8_MARK + text if isinstance(text, bytes) else text, self.content_type)


class UniqueIds:
    """That each row has an id of its own: of two with one id the engine would take the later text for a change of the
    earlier one. A row that a URL identifies may have any id."""

    def __init__(self, columns: TextColumns) -> None:
        self._column = columns.id
        self._seen: set[str] = set()

    def take(self, id: Any, url: Optional[str], place: str) -> None:
        """``place`` names the row in the InvalidArgumentError about an id that was there before."""
        if id is None or url is not None:
            return
        text = str(id)
        if text in self._seen:
            raise InvalidArgumentError(
                f"{place}: {self._column!r} is {id!r}, as in an earlier row; ids have to be unique, and without a "
                "column of ids each row is one of its own"
            )
        self._seen.add(text)


def verdict_values(answer: Optional[Result]) -> tuple[Optional[int], Optional[str], Optional[float]]:
    """What stands in VERDICT_COLUMNS."""
    if answer is None:
        return None, None, None
    return answer.group_id, answer.verdict.value, answer.resemblance if answer.is_duplicate else None
