"""Files that are written beside their place and get their name when they are whole.

The file is ``.NAME.ndc-unfinished`` beside ``NAME``, and its writer holds a lock on it, which goes with the process: so
what a killed process has left is told from what a living one still writes. The program ``ndc`` does the same
(tools/ndc/unfinished_file.cpp).
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import io
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Optional, Union

from ndc_dedup.errors import InvalidArgumentError

__all__ = ["refuse_overwriting", "written"]

Path = Union[str, "os.PathLike[str]"]

_SUFFIX = ".ndc-unfinished"
_MOST_NAME_BYTES = 255  # of Linux's file systems
_MOST_LINKS = 40  # as Linux follows


def refuse_overwriting(
    output: Union[Path, IO[bytes]], inputs: Iterable[Union[Path, int]], store: Optional[Path]
) -> None:
    """Raises InvalidArgumentError if the output is one of the inputs, by whatever name, or lies in the store, or if an
    input has the name of the unfinished output, which is cleared away. Files are told apart by device and inode. A
    number is a descriptor."""
    status = _status(output)
    unfinished = _beside(_place(os.fspath(output))[0]) if isinstance(output, (str, os.PathLike)) else None
    for each in inputs:
        other = _status(each)
        left_over = None if unfinished is None else _status(unfinished)
        if left_over is not None and other is not None and os.path.samestat(left_over, other):
            raise InvalidArgumentError(
                f"the input {_shown(each)} has the name of the unfinished output {_shown(output)}, which would replace "
                "it; give it another name"
            )
        if status is None or other is None or not stat.S_ISREG(status.st_mode):
            continue
        if os.path.samestat(status, other):
            raise InvalidArgumentError(f"the output {_shown(output)} is one of the inputs")
    if store is not None and isinstance(output, (str, os.PathLike)):
        folder, path = os.path.realpath(store), os.path.realpath(output)
        if os.path.commonpath([folder, path]) == folder:
            raise InvalidArgumentError(f"the output {_shown(output)} lies in the store, whose files are its own")


def _status(file: Any) -> Optional[os.stat_result]:
    """None: it is not there, or no file of the system."""
    try:
        if isinstance(file, (str, os.PathLike, int)):
            return os.stat(file)
        return os.fstat(file.fileno())
    except (OSError, AttributeError, ValueError):
        return None


def _shown(output: Any) -> str:
    return os.fspath(output) if isinstance(output, (str, os.PathLike)) else str(getattr(output, "name", output))


@contextmanager
def written(target: Path) -> Iterator[IO[bytes]]:
    """The file to write. A regular one becomes the target when all is done, and if anything fails, what had the name
    has it still. Pipes, devices and what the process has open (/dev/fd/3) are written at once."""
    name = os.fspath(target)
    path, descriptor = _place(name)
    unfinished = None
    with _naming(name):
        if descriptor is not None:
            number = os.dup(descriptor)
        elif os.path.exists(path) and not os.path.isfile(path):
            number = os.open(path, os.O_WRONLY)
        else:
            unfinished, number = _made(path)
    with _Named.opened(number, name) as file:
        if unfinished is None:
            yield file
            return
        try:
            yield file
            file.flush()
            with _naming(name):
                os.fsync(number)
                os.replace(unfinished, path)
        except BaseException:
            _remove(unfinished)  # as long as the lock is held
            raise


class _Named(io.FileIO):
    """Whose errors name the output."""

    @classmethod
    def opened(cls, descriptor: int, name: str) -> IO[bytes]:
        file = cls(descriptor, "wb")
        file.output = name
        return io.BufferedWriter(file)

    output = ""

    def write(self, data: Any) -> int:
        with _naming(self.output):
            return super().write(data)


@contextmanager
def _naming(output: str) -> Iterator[None]:
    try:
        yield
    except OSError as failure:
        raise OSError(failure.errno, failure.strerror, output) from None


def _place(name: str) -> tuple[str, Optional[int]]:
    """The path behind all symbolic links, or a descriptor that is open in this process."""
    path = name
    for _ in range(_MOST_LINKS):
        if not os.path.islink(path):
            break
        folder, last = os.path.split(path)
        if last.isdigit() and os.path.realpath(folder) == os.path.realpath("/proc/self/fd"):
            return path, int(last)
        path = os.path.join(folder, os.readlink(path))
    return path, None


def _beside(path: str) -> str:
    folder, name = os.path.split(path)
    encoded = os.fsencode(name)
    if len(encoded) + len(_SUFFIX) + 1 > _MOST_NAME_BYTES:
        name = hashlib.sha256(encoded).hexdigest()
    return os.path.join(folder, f".{name}{_SUFFIX}")


def _made(path: str) -> tuple[str, int]:
    """A new file beside the path, in the place of what a dead process has left, and its locked descriptor."""
    if not os.path.basename(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    target = os.stat(path) if os.path.exists(path) else None
    # Another name may be put over a file that may not be written. Who protects a file means what is in it.
    if target is not None and not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    unfinished = _beside(path)
    while True:
        _clear_left_over(unfinished)
        try:
            # Nobody else may look in before it has the permissions of what it replaces.
            number = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if target is None else 0o600)
        except FileExistsError:
            continue
        try:
            if _lock(number, unfinished):
                if target is not None:
                    _take_permissions(number, target)
                return unfinished, number
        except BaseException:
            os.close(number)
            raise
        os.close(number)


def _lock(number: int, name: str) -> bool:
    """Whether the file has its name still, which only the owner of the lock may take from it."""
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BlockingIOError(errno.EWOULDBLOCK, "another process is writing it") from None
    except OSError:
        pass  # a file system without locks: two writers of one output at the same time are not kept apart
    try:
        return os.path.samestat(os.fstat(number), os.stat(name, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _clear_left_over(unfinished: str) -> None:
    try:
        number = os.open(unfinished, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    try:
        if _lock(number, unfinished):
            _remove(unfinished)
    finally:
        os.close(number)


def _take_permissions(number: int, target: os.stat_result) -> None:
    mode = stat.S_IMODE(target.st_mode)
    own = os.fstat(number)
    if (own.st_uid, own.st_gid) != (target.st_uid, target.st_gid):
        try:
            os.fchown(number, target.st_uid, target.st_gid)
        except OSError:
            try:
                os.fchown(number, -1, target.st_gid)
            except OSError:
                # Another group than the one that the permissions were meant for may do what everybody may.
                mode = mode & ~(stat.S_IRWXG | stat.S_ISGID) | mode & stat.S_IRWXG & (mode & stat.S_IRWXO) << 3
    os.fchmod(number, mode)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
