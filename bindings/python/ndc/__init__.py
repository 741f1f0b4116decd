"""Near-duplicate detection for crawls, archives and tables of text.

    import ndc

    with ndc.NearDuplicates() as pages:
        result = pages.check("http://a.example/", html)
        if result.is_duplicate:
            print(result.verdict, result.group_id)

``ndc.dedup`` takes whole archives, ``ndc.dedup_table`` tables, ``ndc.scrapy`` goes into a crawl.
"""

from __future__ import annotations

from ndc._library import version
from ndc.answers import Event, EventKind, Flag, Group, OptionInfo, PageInfo, Result, SimilarPage, StoreFault, Verdict
from ndc.engine import NearDuplicates
from ndc.errors import (
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
from ndc.explanation import Explanation
from ndc.features import Features, Signature
from ndc.pages import describe, extract, options, verify

__version__ = version()

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
    "OutOfMemoryError",
    "PageInfo",
    "ReadOnlyError",
    "Result",
    "Signature",
    "SimilarPage",
    "StoreFault",
    "StoreIOError",
    "UnsupportedVersionError",
    "Verdict",
    "describe",
    "extract",
    "options",
    "verify",
    "version",
]
