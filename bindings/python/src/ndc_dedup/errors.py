"""The exceptions of ndc, one for each status of the C interface."""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "ClosedError",
    "CorruptError",
    "ForkedError",
    "InternalError",
    "InvalidArgumentError",
    "LimitError",
    "LockedError",
    "NdcError",
    "NotFoundError",
    "OutOfMemoryError",
    "ReadOnlyError",
    "StoreIOError",
    "UnsupportedVersionError",
]


class NdcError(Exception):
    """What every other exception of ndc is. A call that raised has changed nothing, unless it says otherwise."""

    status: ClassVar[int] = 0
    """The status of the C interface; 0 for what this package itself has found."""


class InvalidArgumentError(NdcError, ValueError):
    """An unknown option, a value out of range, a directory that is no store, a call for stores on an
    engine in memory."""

    status = -1


class OutOfMemoryError(NdcError, MemoryError):
    """The system gave no memory."""

    status = -2


class StoreIOError(NdcError, OSError):
    """A disk is full or broken, or a permission is missing. The call may be repeated."""

    status = -3


class CorruptError(NdcError):
    """Features, a signature or a store that ndc did not write, or that were damaged."""

    status = -4


class UnsupportedVersionError(NdcError):
    """Written by another version of ndc."""

    status = -5


class LockedError(NdcError):
    """The store has a writer, in this process or in another one."""

    status = -6


class ReadOnlyError(NdcError):
    """A change through an engine that was opened with ``read_only=True``."""

    status = -7


class NotFoundError(NdcError, LookupError):
    """No such page, group or store."""

    status = -8


class LimitError(NdcError):
    """Something is too long or too many."""

    status = -9


class InternalError(NdcError):
    """A fault in ndc. Please report it."""

    status = -10


class ClosedError(NdcError, ValueError):
    """The engine was closed."""


class ForkedError(NdcError, RuntimeError):
    """The engine was opened by another process, of which this one is a fork."""


_BY_STATUS: dict[int, type[NdcError]] = {
    kind.status: kind
    for kind in (
        InvalidArgumentError,
        OutOfMemoryError,
        StoreIOError,
        CorruptError,
        UnsupportedVersionError,
        LockedError,
        ReadOnlyError,
        NotFoundError,
        LimitError,
        InternalError,
    )
}


def error_of(status: int, sentence: str) -> NdcError:
    """The exception of a status; of one that this package does not know, an InternalError that names it."""
    kind = _BY_STATUS.get(status)
    if kind is None:
        return InternalError(f"status {status}: {sentence}")
    return kind(sentence)
