"""Which pages may be left out as they come: copies of a page that stays."""

from __future__ import annotations

import enum
from typing import Optional

from ndc_dedup.answers import CAUTION, Flag, Result, Verdict
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import NotFoundError

__all__ = ["LeavingOut", "Relation"]


class Relation(str, enum.Enum):
    """What a page of a group is to the pages of it that stay."""

    COPY = "copy"
    """The same document as one of them: hardly anything is lost without it."""
    PART = "part"
    """It contains the page that founded the group and much more, or lies in it so."""
    OTHER = "other"
    """Another document than that one, by what is known now; or nobody can tell: that one is gone, or has no text to
    compare with, or one of both is known in part only, or their little text leaves it uncertain."""


_DOUBTFUL = CAUTION & ~(Flag.CONTAINS | Flag.CONTAINED)


class LeavingOut:
    """The page that founded a group stays, and so does what is no copy of it. Threads: any."""

    def __init__(self, leave_out_parts: bool) -> None:
        self._leave_out_parts = leave_out_parts
        self._also_kept: set[int] = set()

    def relation(self, engine: NearDuplicates, result: Result) -> Optional[Relation]:
        """Of a page that this engine has just answered; None: it founded its group itself."""
        if result.is_founder or result.verdict in (Verdict.NEW, Verdict.NO_TEXT):
            return None
        if result.verdict is Verdict.EXACT and result.matched_page_id in self._also_kept:
            return Relation.COPY
        relation = _to_founder(engine, result)
        if not self.leaves_out(relation):
            self._also_kept.add(result.page_id)
        return relation

    @staticmethod
    def told(committed: Result) -> Optional[Relation]:
        """The same of what a cluster has committed: it compares with the page that founded the group, or what stands
        for it."""
        if committed.is_founder or not committed.is_duplicate:
            return None
        return _relation(committed, committed.flags, committed.verdict is Verdict.EXACT)

    def leaves_out(self, relation: Optional[Relation]) -> bool:
        return relation is Relation.COPY or (self._leave_out_parts and relation is Relation.PART)


def _to_founder(engine: NearDuplicates, result: Result) -> Relation:
    """The answer tells it already if the page was compared with the founder; a text that equals that of another
    member need not be the founder's."""
    all_is_equal, flags = result.verdict is Verdict.EXACT, result.flags
    if not result.is_duplicate or result.matched_page_id != result.group_id:
        try:
            result = engine.compare(result.group_id, result.page_id)
        except NotFoundError:
            return Relation.OTHER
        flags |= result.flags
    return _relation(result, flags, all_is_equal)


def _relation(result: Result, flags: Flag, all_is_equal: bool) -> Relation:
    if not result.is_duplicate or (flags & _DOUBTFUL and not all_is_equal):
        return Relation.OTHER
    return Relation.PART if result.is_part else Relation.COPY
