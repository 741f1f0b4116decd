"""The native engine behind a NearDuplicates: who may call it, and when it is closed.

A native engine must not be closed while a call is under way, and must not be touched in a forked child: there, closing
would write into the store of the parent. Both are kept here, once.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from os import getpid
from threading import get_ident
from types import CodeType, FrameType
from typing import Any, Callable, Optional

from ndc_dedup._library import failure_of, lib
from ndc_dedup._ndcapi import ffi
from ndc_dedup.errors import ClosedError, ForkedError, InvalidArgumentError

logger = logging.getLogger("ndc_dedup")

_LEVELS = {1: logging.ERROR, 2: logging.WARNING}
_WAIT_AT_EXIT_S = 5.0

_CALLBACKS: set[CodeType] = set()  # the code of the functions that the library calls

# What a callback raised, by thread: it continues from where the call returns. KeyboardInterrupt may come up in
# any callback.
_raised = threading.local()


def _callback(kind: str, **on_failure: Any) -> Callable[[Callable[..., Any]], Any]:
    def make(function: Callable[..., Any]) -> Any:
        _CALLBACKS.add(function.__code__)
        return ffi.callback(kind, function, onerror=_keep, **on_failure)

    return make


def _keep(kind: Any, value: BaseException, trace: Any) -> None:
    _raised.by_callback = value


@_callback("nd_log_callback")
def _log(level: int, message: Any, size: int, context: Any) -> None:
    # Also on threads of the library, which Python does not know. They have nobody to raise to.
    try:
        logger.log(_LEVELS.get(level, logging.INFO), "%s", ffi.buffer(message, size)[:].decode("utf-8", "replace"))
    except Exception:
        if logging.raiseExceptions:  # as the handlers of logging do
            traceback.print_exc()


@_callback("nd_page_callback", error=1)
def each_page(info: Any, url: Any, size: int, context: Any) -> int:
    ffi.from_handle(context)(info, url, size)
    return 0


@_callback("nd_group_callback", error=1)
def each_group(info: Any, context: Any) -> int:
    ffi.from_handle(context)((info.group_id, info.page_count, info.representative_page_id, info.tombstone))
    return 0


@_callback("nd_event_callback", error=1)
def each_event(event: Any, context: Any) -> int:
    ffi.from_handle(context)(event)
    return 0


@_callback("nd_similar_callback", error=1)
def each_similar(similar: Any, url: Any, size: int, context: Any) -> int:
    ffi.from_handle(context)(similar, url, size)
    return 0


@_callback("nd_settled_callback", error=1)
def each_settled(result: Any, url: Any, size: int, context: Any) -> int:
    ffi.from_handle(context)(result, url, size)
    return 0


@_callback("nd_store_fault_callback", error=1)
def each_fault(fault: Any, context: Any) -> int:
    ffi.from_handle(context)(fault)
    return 0


def iterate(run: Callable[[Any], int], take: Callable[..., None]) -> int:
    """`run` gets the context for one of the callbacks above, which give `take` what they are given. What `take` raises,
    this raises."""
    context = ffi.new_handle(take)
    status = run(context)
    raised: Optional[BaseException] = getattr(_raised, "by_callback", None)
    if raised is not None:
        _raised.by_callback = None
        raise raised
    return status


_process = getpid()


def _notice_fork() -> None:
    global _process
    _process = getpid()


os.register_at_fork(after_in_child=_notice_fork)


class EngineState:
    """A native engine, and which calls are inside of it.

    A call enters before it looks for the handle, and closing takes the handle away before it looks who is inside:
    one of them sees the other. So a call needs no lock, only that single operations of dict are atomic, which they
    are in every CPython.
    """

    def __init__(self, handle: Any):
        self._handle = handle
        self._process = _process
        self._inside: dict[object, int] = {}  # the calls that are under way, and their threads
        self._left = threading.Condition()
        self._closing = False
        lib.nd_set_logger(handle, _log, ffi.NULL)

    @property
    def is_open(self) -> bool:
        return self._handle is not None and self._process == getpid()

    def call(self, function: Any, *arguments: Any) -> int:
        """Calls a function of the C interface with the engine in front; its status."""
        return self.call_for_page(lambda handle, *_: function(handle, *arguments), None, None)

    def call_for_page(self, function: Any, page: Any, result: Any) -> int:
        """The same for the two arguments of a check or a query. A fixed number of them takes half the time, which
        counts on small pages."""
        if self._process != _process:
            raise ForkedError(
                f"this engine was opened by process {self._process}, of which this one is a fork: open another one "
                "here (a store has one writer; any number of processes may open it with read_only=True)"
            )
        inside = self._inside
        entry = object()
        try:
            inside[entry] = get_ident()
            handle = self._handle
            if handle is None:
                raise ClosedError("this engine was closed")
            status: int = function(handle, page, result)
            return status
        finally:
            inside.pop(entry, None)  # not there if an interrupt came first
            if self._handle is None:
                with self._left:
                    self._left.notify_all()

    def require(self, function: Any, *arguments: Any) -> None:
        """The same; raises unless the status is ND_OK."""
        status = self.call(function, *arguments)
        if status != 0:
            raise failure_of(status)

    def close(self, timeout: Optional[float] = None) -> int:
        """Waits for the calls that are under way in other threads, and closes; the status of nd_close. Closing
        twice is fine."""
        if self._process != getpid():
            self._handle = None  # the parent's: neither closed nor freed here
            return 0
        if _is_in_callback():
            raise InvalidArgumentError(
                "an engine cannot be closed by a log handler or a signal handler that runs inside of its call"
            )
        with self._left:
            if self._closing:
                self._left.wait_for(lambda: not self._closing, timeout)
                return 0
            handle, self._handle, self._closing = self._handle, None, True
        try:
            if handle is None or not self._wait_for_others(timeout):
                return 0
            closed, handle = handle, None
            return int(lib.nd_close(closed))
        finally:
            with self._left:
                self._handle, self._closing = handle, False  # open again if the wait was in vain
                self._left.notify_all()

    def _wait_for_others(self, timeout: Optional[float]) -> bool:
        """Whether no other thread is inside any more. This thread's own entry can only be what an interrupt has
        left behind."""
        this_thread = get_ident()
        with self._left:
            return self._left.wait_for(
                lambda: all(thread == this_thread for thread in list(self._inside.values())), timeout
            )

    def close_at_exit(self) -> None:
        """What is forgotten is closed when Python ends. Daemon threads that do not come back are not waited for: what
        the durability of the store promises is kept in any case."""
        try:
            self.close(_WAIT_AT_EXIT_S)
        except Exception:
            logger.exception("an engine could not be closed")


def _is_in_callback() -> bool:
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        if frame.f_code in _CALLBACKS:
            return True
        frame = frame.f_back
    return False
