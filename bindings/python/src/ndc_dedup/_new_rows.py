"""That no row is known to a store and in no output: what ``keep="new"`` leaves out has to be somewhere."""

from __future__ import annotations

import os
from typing import Optional

from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import InvalidArgumentError

__all__ = ["NewRows"]

_BOOKMARK = "output of new rows"
_UNFINISHED = b"unfinished"
_FINISHED = b"finished "


class NewRows:
    """The output of a run that leaves out what the store knows. The store knows a row as soon as it is checked, the
    output is there at the end: a bookmark says of a run that has begun that it has not finished.

    Without a store, or where all rows stay, nothing is remembered and nothing refused.
    """

    def __init__(self, engine: NearDuplicates, keep: str, output: Optional[str] = None) -> None:
        """``output``: a path, if it is a file. Raises InvalidArgumentError if rows might get lost."""
        self._engine = engine
        self._output = None if output is None else os.path.realpath(output)
        self._is_guarded = keep == "new" and engine.store is not None
        self._has_begun = False
        if self._is_guarded:
            self._refuse(engine.get_bookmark(_BOOKMARK))

    def _refuse(self, earlier: Optional[bytes]) -> None:
        if earlier == _UNFINISHED:
            raise InvalidArgumentError(
                f"an earlier run with the store {self._engine.store} did not finish: its rows are known to the store "
                'and in no output, and would be left out as unchanged or exact; use another store, or keep="all"'
            )
        if self._output is not None and earlier == self._finished() and os.path.isfile(self._output):
            raise InvalidArgumentError(
                f"the output {self._output} has the new rows of an earlier run with the store {self._engine.store}, "
                "and this run gives only what is new since then; give the output another name"
            )

    def _finished(self) -> bytes:
        return _FINISHED + os.fsencode(self._output or "")

    def begin(self) -> None:
        """Before a row is checked."""
        if self._is_guarded and not self._has_begun:
            self._engine.set_bookmark(_BOOKMARK, _UNFINISHED)
            self._has_begun = True

    def finish(self) -> None:
        """When the output has all rows, and its name."""
        if self._is_guarded:
            self._engine.set_bookmark(_BOOKMARK, self._finished())
