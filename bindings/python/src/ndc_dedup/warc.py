"""Pages of WARC files, and verdicts beside them. Needs warcio, as the extra ``warc`` brings it."""

from __future__ import annotations

import logging
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from datetime import datetime, timezone
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, Callable, Optional, Union

try:
    from warcio.archiveiterator import ArchiveIterator
    from warcio.recordloader import ArcWarcRecord
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.timeutils import iso_date_to_datetime
    from warcio.warcwriter import WARCWriter
except ImportError as missing:
    raise ImportError("ndc reads archives with warcio, which is not installed: pip install warcio brotli") from missing

from ndc_dedup._arguments import url_bytes
from ndc_dedup._library import version
from ndc_dedup._outputs import refuse_overwriting, written
from ndc_dedup._settling import WaitingRows, asks_sites
from ndc_dedup.answers import Result, Verdict
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import InvalidArgumentError
from ndc_dedup.option_types import Options
from ndc_dedup.rows import Page, check, opened, row_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["annotate", "metadata_record", "page_of", "pages", "records"]

Path = Union[str, "os.PathLike[str]"]
logger = logging.getLogger("ndc_dedup")

_MAX_PAGE_BYTES = 64 << 20
_PIECE_BYTES = 64 << 10

# "token/token" of RFC 9110, but no range of types; anything else declares nothing.
_MEDIA_TYPE = re.compile(r"[\w!#$%&'+.^`|~-]+/[\w!#$%&'+.^`|~-]+", re.ASCII)
_HEADER_VALUE = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|$)|[^,"])+')
_PAGE_TYPES = {
    "text/html",
    "application/xhtml+xml",
    "application/vnd.wap.xhtml+xml",
    "text/plain",
    "text/markdown",
    "text/xml",
    "application/xml",
}
_MEANINGLESS_TYPES = {
    "application/octet-stream",
    "binary/octet-stream",
    "application/x-unknown",
    "content/unknown",
    "application/unknown",
    "unknown/unknown",
}
_NOTES = (
    "metadata:",
    "filedesc:",
    "urn:pageinfo:",
    "urn:text:",
    "urn:text-final:",
    "urn:view:",
    "urn:thumbnail:",
    "urn:fullpage:",
    "urn:x-wpull:",
    "dns:",
    "whois:",
)


def records(path: Path) -> Iterator[ArcWarcRecord]:
    """The records of a WARC or ARC file, packed or not. What follows the first damage is left out, which is reported to
    the log; ``ndc dedup`` and Spark's reader go on behind it."""
    with open(path, "rb") as file:
        if file.seekable():
            # warcio takes line ends before the first record for one.
            start = file.read(_PIECE_BYTES)
            file.seek(len(start) - len(start.lstrip(b"\r\n")))
        try:
            yield from ArchiveIterator(file, arc2warc=True)
        except OSError:
            raise
        except Exception as failure:  # what warcio raises for damaged records is of many kinds
            logger.error("%s: %s; the rest is left out", os.fspath(path), failure or type(failure).__name__)


def pages(path: Path, *, all_statuses: bool = False, max_page_bytes: int = _MAX_PAGE_BYTES) -> Iterator[Page]:
    """The pages of a WARC or ARC file: response records with HTTP status 2xx, resource and conversion (WET) records
    that declare the media type of a page or none, with transfer and content encoding undone. A body longer than
    ``max_page_bytes`` is cut and marked as truncated."""
    for record in records(path):
        page = page_of(record, all_statuses=all_statuses, max_page_bytes=max_page_bytes)
        if page is not None:
            yield page


def page_of(
    record: ArcWarcRecord, *, all_statuses: bool = False, max_page_bytes: int = _MAX_PAGE_BYTES
) -> Optional[Page]:
    """The page of a warcio record, whose stream it reads; None if it has none."""
    url = record.rec_headers.get_header("WARC-Target-URI")
    if record.rec_type not in ("response", "resource", "conversion") or not url or url.lower().startswith(_NOTES):
        return None
    content_type = record.rec_headers.get_header("Content-Type")
    if record.rec_type == "response":
        if record.http_headers is None:
            return None
        if not all_statuses and not _is_successful(record.http_headers):
            return None
        said = (value for name, value in record.http_headers.headers if name.lower() == "content-type")
        content_type = ",".join(said)
    if not _may_be_page(content_type or ""):
        return None
    try:
        body = record.content_stream().read(max_page_bytes + 1)
    except Exception as failure:  # what warcio raises for damaged encodings is of many kinds
        logger.error("%s: %s; skipped", url, failure)
        return None
    if len(body) <= max_page_bytes and _is_cut(record):
        logger.error("%s: the record is cut; skipped", url)
        return None
    cut = len(body) > max_page_bytes or record.rec_headers.get_header("WARC-Truncated") is not None
    return Page(url.strip("<>"), body[:max_page_bytes], content_type, _fetched_at(record), cut)


def _is_successful(headers: StatusAndHeaders) -> bool:
    status = headers.get_statuscode()
    is_http = headers.protocol.split("/")[0].upper() == "HTTP"
    return is_http and len(status) == 3 and status.startswith("2") and status not in ("204", "205")


def _may_be_page(content_type: str) -> bool:
    """Whether the bytes may be looked at: as ``ndc dedup`` has it (docs/inputs.md)."""
    declared = ""
    for value in _HEADER_VALUE.findall(content_type):
        essence = value.split(";")[0].strip(" \t\r\n").lower()
        if _MEDIA_TYPE.fullmatch(essence) and (_is_page_type(essence) or not _is_page_type(declared)):
            declared = essence
    return not declared or _is_page_type(declared) or declared in _MEANINGLESS_TYPES


def _is_page_type(essence: str) -> bool:
    return essence in _PAGE_TYPES or essence.endswith("+xml")


def _is_cut(record: ArcWarcRecord) -> bool:
    """Whether the file ends before the record does, which warcio does not tell."""
    while record.raw_stream.read(_PIECE_BYTES):
        pass
    return bool(getattr(record.raw_stream, "limit", 0))


def _fetched_at(record: ArcWarcRecord) -> Optional[datetime]:
    try:
        found: datetime = iso_date_to_datetime(record.rec_headers.get_header("WARC-Date"))
    except (TypeError, ValueError):
        return None
    found = found.replace(tzinfo=timezone.utc) if found.tzinfo is None else found
    return found if found.timestamp() > 0 else None


def metadata_record(writer: WARCWriter, record: ArcWarcRecord, engine: NearDuplicates, result: Result) -> ArcWarcRecord:
    """A WARC ``metadata`` record with the verdict about another record: the fields of ``ndc dedup --warc-metadata``.
    Never a revisit: near-duplicates are not equal."""
    url = record.rec_headers.get_header("WARC-Target-URI")
    row = row_of(engine, url, result)
    founder = engine.page(result.group_id) if result.group_id else None
    fields: list[tuple[str, Any]] = [("nd-verdict", result.verdict)]
    if result.group_id:
        fields.append(("nd-group", result.group_id))
    if founder is not None:
        fields.append(("nd-group-url", founder.url))
    fields.append(("nd-page", result.page_id))
    if result.matched_page_id and row.representative is not None:
        fields.append(("nd-matched-url", row.representative))
    if row.resemblance is not None:
        fields += [("nd-resemblance", f"{row.resemblance:.4f}"), ("nd-containment", f"{row.containment:.4f}")]
    if result.flags:
        fields.append(("nd-flags", ", ".join(result.flags.words)))
    fields.append(("nd-version", version()))
    block = "".join(f"{name}: {_one_line(value)}\r\n" for name, value in fields).encode("utf-8", "surrogateescape")
    headers = {"WARC-Date": record.rec_headers.get_header("WARC-Date") or "1970-01-01T00:00:00Z"}
    of = record.rec_headers.get_header("WARC-Record-ID")
    if of:
        headers["WARC-Refers-To"] = of
    return writer.create_warc_record(
        url, "metadata", payload=BytesIO(block), warc_content_type="application/warc-fields", warc_headers_dict=headers
    )


def _one_line(value: Any) -> str:
    return "".join(f"%{ord(char):02X}" if ord(char) < 32 or ord(char) == 127 else char for char in str(value))


def annotate(
    sources: Union[Path, Iterable[Path]],
    output: Union[Path, IO[bytes]],
    *,
    engine: Optional[NearDuplicates] = None,
    store: Optional[Path] = None,
    copy: bool = False,
    gzip: bool = True,
    **options: Unpack[Options],
) -> Counter[Verdict]:
    """Reads WARC files and writes a WARC file with a ``metadata`` record for each page; with ``copy`` each page's own
    record before it, and all others too. The file at ``output`` is there when all of it is, or not at all. Returns how
    often each verdict was given.

    The files are read twice: pages are answered by what is known of their sites at the end. With ``engine`` or
    ``store``, or where a source is no file but a pipe, they are read once and answered as they come.
    """
    counts: Counter[Verdict] = Counter()
    paths = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    refuse_overwriting(output, paths, store if engine is None else engine.store)
    with written(output) if isinstance(output, (str, os.PathLike)) else nullcontext(output) as file:
        writer = WARCWriter(file, gzip=gzip, warc_version="1.1")
        with opened(engine, store, options) as checking:
            info = {
                "software": f"ndc/{version()}",
                "description": "near-duplicate verdicts, one metadata record for each page",
            }
            writer.write_record(writer.create_warcinfo_record(None, info))
            waits = engine is None and store is None and asks_sites(options) and all(map(os.path.isfile, paths))
            answer = _settled(checking, paths) if waits else lambda page: check(checking, page)
            for path in paths:
                for record in records(path):
                    _annotate_record(writer, record, checking, answer, copy, counts)
    return counts


def _settled(engine: NearDuplicates, paths: Iterable[Path]) -> Callable[[Page], Result]:
    """What gives the answers when the pages are read once more."""
    waiting = WaitingRows(engine)
    for path in paths:
        for page in pages(path):
            waiting.add(page.url, check(engine, page))
    settled = waiting.settled()

    def answer(page: Page) -> Result:
        row = next(settled, None)
        if row is None or row.answer is None or url_bytes(row.url or "") != url_bytes(page.url or ""):
            raise InvalidArgumentError("an archive has changed while it was read")
        return row.answer

    return answer


def _annotate_record(
    writer: WARCWriter,
    record: ArcWarcRecord,
    engine: NearDuplicates,
    answer: Callable[[Page], Result],
    copy: bool,
    counts: Counter[Verdict],
) -> None:
    if copy:
        # The stream is read twice: to be written as it is, and to be decoded.
        raw = record.raw_stream.read()
        record.raw_stream = BytesIO(raw)
        page = page_of(record)
        record.raw_stream = BytesIO(raw)
        writer.write_record(record)
    else:
        page = page_of(record)
    if page is not None:
        result = answer(page)
        counts[result.verdict] += 1
        writer.write_record(metadata_record(writer, record, engine, result))
