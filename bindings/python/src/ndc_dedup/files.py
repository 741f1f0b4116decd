"""Files of texts in, the same with verdicts out: Parquet, JSON lines, WARC."""

from __future__ import annotations

import gzip
import io
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Any, Callable, Optional, Union

from ndc_dedup._arguments import Url
from ndc_dedup._new_rows import NewRows
from ndc_dedup._outputs import refuse_overwriting, written
from ndc_dedup._settling import WaitingRows, asks_sites
from ndc_dedup.answers import Result
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import InvalidArgumentError
from ndc_dedup.option_types import Options
from ndc_dedup.rows import Row, check, pages_of, row_of
from ndc_dedup.text_columns import RowChoice, TextColumns, UniqueIds

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["dedup_file"]

Path = Union[str, "os.PathLike[str]"]
Progress = Optional[Callable[[int], Any]]

_LINES_AT_ONCE = 1000


def dedup_file(
    input: Path,
    output: Path,
    *,
    text: str = "text",
    id: Optional[str] = "id",
    url: Optional[str] = None,
    content_type: str = "text/plain",
    keep: str = "all",
    leave_out_parts: bool = False,
    own_text: bool = False,
    threads: int = 1,
    store: Optional[Path] = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Counter[str]:
    """Reads a file in batches and writes another one with the columns of ``dedup_table``; arguments as for that,
    and returns its ``counts``. The output is there when all of it is,
    or not at all."""
    source, target = os.fspath(input), os.fspath(output)
    kinds = _kind(source), _kind(target)
    refuse_overwriting(target, source.split(",") if kinds[0] == "warc" else [source], store)
    if threads != 1 and kinds[0] != "parquet":
        raise InvalidArgumentError("only Parquet is read by more than one thread")
    if own_text and kinds[0] == "warc":
        raise InvalidArgumentError("rows of WARC files have no texts: own_text goes with Parquet and JSON lines")
    columns = TextColumns(text, id, url, content_type, own_text)
    with _Run(columns, keep, leave_out_parts, store, target, progress, options) as run:
        with written(target) as file:
            if kinds == ("parquet", "parquet"):
                run.parquet(source, file, threads)
            elif kinds == ("jsonl", "jsonl"):
                run.jsonl(source, file)
            elif kinds[0] == "warc" and kinds[1] in ("tsv", "jsonl"):
                run.warc(source.split(","), file)
            else:
                raise InvalidArgumentError(
                    f"{source} to {target}: Parquet to Parquet, JSON lines to JSON lines, or WARC to .tsv or .jsonl"
                )
        run.finish()
    return run.counts


def _kind(path: str) -> str:
    name = path.lower()
    name = name[:-3] if name.endswith(".gz") else name
    suffix = name.rpartition(".")[2]
    return {
        "parquet": "parquet",
        "pq": "parquet",
        "jsonl": "jsonl",
        "ndjson": "jsonl",
        "warc": "warc",
        "tsv": "tsv",
    }.get(suffix, "")


@contextmanager
def _lines_to(file: IO[bytes], name: str) -> Iterator[IO[str]]:
    """Lines of text, which are packed where the name says so. The file stays open."""
    if name.lower().endswith(".gz"):
        with gzip.GzipFile("", "wb", 6, file) as packed, io.TextIOWrapper(packed, "utf-8", newline="\n") as lines:
            yield lines
    else:
        plain = io.TextIOWrapper(file, "utf-8", newline="\n")
        try:
            yield plain
        finally:
            plain.detach()


class _Run:
    """One file to another. Its engine is open until the output has its name, which is then noted in the store."""

    def __init__(
        self,
        columns: TextColumns,
        keep: str,
        leave_out_parts: bool,
        store: Optional[Path],
        target: str,
        progress: Progress,
        options: Options,
    ) -> None:
        self.counts: Counter[str] = Counter()
        self._columns = columns
        self._ids = UniqueIds(columns)
        self._keep = keep
        self._choice = RowChoice(keep, leave_out_parts, self.counts)
        self._store = store
        self._target = target
        self._progress = progress
        self._options = options
        self._opened = ExitStack()

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *failure: Any) -> None:
        self._opened.__exit__(*failure)

    def _open(self, options: Options) -> NearDuplicates:
        engine = self._opened.enter_context(NearDuplicates(self._store, **options))
        self._new_rows = NewRows(engine, self._keep, self._target)
        return engine

    def finish(self) -> None:
        self._new_rows.finish()

    def _waits(self, options: Options) -> bool:
        """Whether rows that have a URL wait until all were checked."""
        return self._store is None and asks_sites(options)

    def _stays(self, engine: NearDuplicates, answer: Optional[Result], has_earlier_text: bool = False) -> bool:
        return self._choice.stays(answer, self._choice.relation(engine, answer, has_earlier_text))

    def _done(self, rows: int) -> None:
        if self._progress is not None:
            self._progress(rows)

    def parquet(self, source: str, target: IO[bytes], threads: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        from ndc_dedup.tables import checked_batches, columns_of

        with parquet.ParquetFile(source) as file:

            def again() -> Iterator[pa.RecordBatch]:
                yield from file.iter_batches(batch_size=_LINES_AT_ONCE)

            reader = pa.RecordBatchReader.from_batches(file.schema_arrow, again())
            columns = columns_of(reader.schema, self._columns)
            options = columns.options(self._options)
            batches = checked_batches(
                reader,
                again if self._waits(options) else None,
                columns,
                self._choice,
                self._open(options),
                self._new_rows,
                threads,
                self._progress,
            )
            with parquet.ParquetWriter(target, batches.schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)

    def jsonl(self, source: str, target: IO[bytes]) -> None:
        open_source = gzip.open if source.lower().endswith(".gz") else open
        text, id, url = self._columns[:3]
        # A line may lack any of them, but what all lack is misspelt. Only the column "id" need not be there.
        missing = {column for column in (text, None if id == "id" else id, url) if column is not None}
        with open_source(source, "rb") as file, _lines_to(target, self._target) as out:
            options = self._columns.options(self._options)
            engine = self._open(options)
            # What is no file, as a pipe, cannot be read again.
            may_wait = self._waits(options) and os.path.isfile(source)
            waiting: Optional[WaitingRows] = None
            first_waiting = position = rows = 0
            columns = self._columns
            for number, line in enumerate(file, 1):
                if line.strip():
                    members = members_of(line, f"{source}:{number}")
                    missing -= members.keys()
                    row = self._row(members, f"{source}:{number}")
                    _, id_of_row, url_of_row = row
                    if may_wait and waiting is None and url_of_row is not None:
                        waiting, first_waiting = WaitingRows(engine), position
                        columns = columns._replace(own_text=False)  # they get theirs when all is known
                    answer, own_text = columns.check(engine, *row)
                    if waiting is not None:
                        waiting.add(self._columns.name(id_of_row, url_of_row), answer)
                    elif self._stays(engine, answer):
                        self._write_line(out, members, answer, own_text)
                    rows += 1
                position += len(line)
                if number % _LINES_AT_ONCE == 0:
                    self._done(_LINES_AT_ONCE)
            if missing and rows:
                raise InvalidArgumentError(f"no line of {source} has {', '.join(map(repr, sorted(missing)))}")
            if waiting is not None:
                file.seek(first_waiting)
                lines = (line for line in file if line.strip())
                for answer, _, has_earlier_text in waiting.settled():
                    line = next(lines, b"")
                    if not line:
                        raise InvalidArgumentError(f"{source} has changed while it was read")
                    if self._stays(engine, answer, has_earlier_text):
                        members = members_of(line, source)
                        own_text = self._columns.own_text_now(engine, *self._values(members))
                        self._write_line(out, members, answer, own_text)

    def _values(self, members: dict[str, Any]) -> tuple[Any, Any, Any]:
        """The text, the id and the URL of a line."""
        text, id, url = (None if column is None else members.get(column) for column in self._columns[:3])
        return text, id, url

    def _row(self, members: dict[str, Any], place: str) -> tuple[Optional[str], Any, Optional[str]]:
        """The same of a line that is checked next; refuses what cannot be."""
        text, id, url = self._values(members)
        for column, value in ((self._columns.text, text), (self._columns.url, url)):
            if value is not None and not isinstance(value, str):
                raise InvalidArgumentError(f"{place}: {column!r} has to be a string, not {type(value).__name__}")
        if isinstance(id, (dict, list)):
            raise InvalidArgumentError(
                f"{place}: {self._columns.id!r} has to be a number or a string, not {type(id).__name__}"
            )
        self._ids.take(id, url, place)
        self._new_rows.begin()
        return text, id, url

    def _write_line(
        self, out: IO[str], members: dict[str, Any], answer: Optional[Result], own_text: Optional[str]
    ) -> None:
        members.update(zip(self._columns.added, self._columns.values(answer, own_text)))
        out.write(_unicode(json.dumps(members, ensure_ascii=False)) + "\n")

    def warc(self, sources: list[str], target: IO[bytes]) -> None:
        tsv = _kind(self._target) == "tsv"
        with _lines_to(target, self._target) as out:
            engine = self._open(self._options)
            if tsv:
                out.write("#url\tgroup_id\tverdict\trepresentative\tresemblance\tcontainment\tprobability\tpage_id\n")
            waiting = WaitingRows(engine) if self._waits(self._options) else None

            def write(url: Optional[Url], answer: Result) -> None:
                row = row_of(engine, url, answer)
                out.write((_tsv(row) if tsv else _jsonl(row)) + "\n")

            for page in pages_of(sources):
                self._new_rows.begin()
                answer = check(engine, page)
                if waiting is not None:
                    waiting.add(page.url, answer)
                elif self._stays(engine, answer):
                    write(page.url, answer)
                self._done(1)
            if waiting is not None:
                for settled, url, has_earlier_text in waiting.settled():
                    if settled is not None and self._stays(engine, settled, has_earlier_text):
                        write(url, settled)


def members_of(line: bytes, place: str) -> dict[str, Any]:
    """The object in a line of JSON; ``place`` names the line in errors."""
    try:
        members = json.loads(line)
    except (ValueError, RecursionError) as failure:
        raise InvalidArgumentError(f"{place}: {failure}") from None
    if not isinstance(members, dict):
        raise InvalidArgumentError(f"{place}: a line has to be an object, not {type(members).__name__}")
    return members


def _tsv(row: Row) -> str:
    words = [
        _escaped(row.url),
        "-" if row.group_id is None else str(row.group_id),
        row.verdict.value,
        "-" if row.representative is None else _escaped(row.representative),
        "-" if row.resemblance is None else f"{row.resemblance:.4f}",
        "-" if row.containment is None else f"{row.containment:.4f}",
        f"{row.probability:.4f}",
        str(row.page_id),
    ]
    return _unicode("\t".join(words))


def _escaped(url: str) -> str:
    return url.replace("\t", "%09").replace("\n", "%0A").replace("\r", "%0D")


def _jsonl(row: Row) -> str:
    members = row._asdict()
    members["verdict"] = row.verdict.value
    members["flags"] = row.flags.words
    return _unicode(json.dumps(members, ensure_ascii=False))


def _unicode(line: str) -> str:
    """Without lone surrogates, which are no text; URLs that are no UTF-8 have them."""
    return line.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
