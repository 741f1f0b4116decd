"""Near-duplicate detection for crawls, archives and tables of text.

    import ndc_dedup as ndc

    with ndc.NearDuplicates() as pages:
        result = pages.check("http://a.example/", html)
        if result.is_duplicate:
            print(result.verdict, result.group_id)

``ndc.dedup`` takes whole archives, ``ndc.dedup_table`` tables, ``ndc_dedup.scrapy`` goes into a crawl.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ndc_dedup._library import version
from ndc_dedup.answers import (
    Event,
    EventKind,
    Flag,
    Group,
    OptionInfo,
    PageInfo,
    Result,
    SimilarPage,
    StoreFault,
    Verdict,
)
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import (
    ClosedError,
    CorruptError,
    ForkedError,
    InternalError,
    InvalidArgumentError,
    LimitError,
    LockedError,
    NdcError,
    NotFoundError,
    OutOfMemoryError,
    ReadOnlyError,
    StoreIOError,
    UnsupportedVersionError,
)
from ndc_dedup.explanation import Explanation
from ndc_dedup.features import Features, Signature, SiteModel
from ndc_dedup.option_types import Options
from ndc_dedup.pages import describe, extract, options, verify
from ndc_dedup.rows import Page, Row, dedup

if TYPE_CHECKING:
    from ndc_dedup.tables import dedup_table as dedup_table

__version__ = version()
# Imported where they are used: they need packages that not everybody has.
_MODULES_ON_DEMAND = ("cluster", "scrapy", "spark", "warc")


def __getattr__(name: str) -> Any:
    if name == "dedup_table":
        from ndc_dedup.tables import dedup_table

        return dedup_table
    if name in _MODULES_ON_DEMAND:
        return importlib.import_module(f"ndc_dedup.{name}")
    raise AttributeError(f"module 'ndc_dedup' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES_ON_DEMAND, "__version__"])


__all__ = [
    "ClosedError",
    "CorruptError",
    "Event",
    "EventKind",
    "Explanation",
    "Features",
    "Flag",
    "ForkedError",
    "Group",
    "InternalError",
    "InvalidArgumentError",
    "LimitError",
    "LockedError",
    "NdcError",
    "NearDuplicates",
    "NotFoundError",
    "OptionInfo",
    "Options",
    "OutOfMemoryError",
    "Page",
    "PageInfo",
    "ReadOnlyError",
    "Result",
    "Row",
    "Signature",
    "SimilarPage",
    "SiteModel",
    "StoreFault",
    "StoreIOError",
    "UnsupportedVersionError",
    "Verdict",
    "dedup",
    "dedup_table",
    "describe",
    "extract",
    "options",
    "verify",
    "version",
]
