"""What ndc sees of a page, what it can be told, and what is wrong with a store: calls without an engine."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Optional, Union

from ndc_dedup._arguments import Body, Url, native_options, page_of
from ndc_dedup._engine_state import each_fault, iterate
from ndc_dedup._library import failure_of, filled_buffer, lib, text
from ndc_dedup._ndcapi import ffi
from ndc_dedup.answers import OptionInfo, StoreFault
from ndc_dedup.option_types import Options

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["describe", "extract", "options", "verify"]


def extract(
    body: Body,
    content_type: Optional[str] = None,
    *,
    url: Optional[Url] = None,
    truncated: bool = False,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """What ndc sees of a page: its kind, charset, title, language, and blocks of text with what each weighs."""
    return _report(lib.nd_extract, body, content_type, url, truncated, options)


def describe(
    body: Body,
    content_type: Optional[str] = None,
    *,
    url: Optional[Url] = None,
    truncated: bool = False,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """What option ``detector`` keeps of a page, in words where it keeps words."""
    return _report(lib.nd_describe_page, body, content_type, url, truncated, options)


def _report(
    function: Any,
    body: Body,
    content_type: Optional[str],
    url: Optional[Url],
    truncated: bool,
    options: Options,
) -> dict[str, Any]:
    page, keep = page_of(url, body, content_type, None, truncated)
    with native_options(options) as native:
        report: dict[str, Any] = json.loads(filled_buffer(function, page, native).decode("utf-8", "replace"))
    return report


def options() -> list[OptionInfo]:
    """All options of the library; those whose key begins with ``x_`` may change in any release."""
    out: list[OptionInfo] = []
    info = ffi.new("nd_option_info *")
    while True:
        info.struct_size = ffi.sizeof("nd_option_info")
        status = lib.nd_options_describe(len(out), info)
        if status == lib.ND_ERR_NOT_FOUND:
            return out
        if status != 0:
            raise failure_of(status)
        key, kind, default = text(info.key), text(info.type), text(info.default_value)
        allowed, meaning, needs, acts_on = text(info.range), text(info.help), text(info.needs), text(info.acts_on)
        out.append(OptionInfo(key, kind, default, allowed, meaning, bool(info.persistent), needs, acts_on))


def verify(store: Union[str, os.PathLike[str]]) -> list[StoreFault]:
    """Reads every file of a store and returns what is wrong; an empty list: nothing. A writer may be at work."""
    path = ffi.new("char[]", os.fsencode(store))
    faults: list[StoreFault] = []

    def take(fault: Any) -> None:
        faults.append(StoreFault(text(fault.file), fault.offset, text(fault.sentence)))

    status = iterate(lambda context: lib.nd_verify_store(path, each_fault, context), take)
    if status != 0 and not (status == lib.ND_ERR_CORRUPT and faults):
        raise failure_of(status)
    return faults
