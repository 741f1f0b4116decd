"""Which pages may be left out as they come: copies of a page that stays."""

from __future__ import annotations

import enum
from typing import Optional

from ndc.answers import Result, Verdict
from ndc.engine import NearDuplicates
from ndc.errors import NotFoundError

__all__ = ["Relation", "relation_to_founder"]


class Relation(str, enum.Enum):
    """What a page of a group is to the page that founded it, which stays."""

    COPY = "copy"
    """The same document: nothing is lost without it."""
    PART = "part"
    """One of the two contains the other and much more."""
    OTHER = "other"
    """Another document, by what is known now; or the founder is gone or has no text to compare with."""

    def is_left_out(self, leave_out_parts: bool) -> bool:
        return self is Relation.COPY or (leave_out_parts and self is Relation.PART)


def relation_to_founder(engine: NearDuplicates, result: Result) -> Optional[Relation]:
    """Of a page that this engine has just answered; None: it founded its group itself.

    The answer of a near-duplicate tells it already, unless the representative is another page by now. Any other page
    is compared with the founder: a text that equals that of a member need not be the founder's.
    """
    if result.is_founder or result.verdict in (Verdict.NEW, Verdict.NO_TEXT):
        return None
    if not result.is_duplicate or result.matched_page_id != result.group_id:
        try:
            result = engine.compare(result.group_id, result.page_id)
        except NotFoundError:
            return Relation.OTHER
    if not result.is_duplicate:
        return Relation.OTHER
    return Relation.PART if result.is_part else Relation.COPY
