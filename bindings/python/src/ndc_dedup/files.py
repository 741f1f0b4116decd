"""Files of texts in, the same with verdicts out: Parquet, JSON lines, CSV, WARC."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Callable, Optional, Union

from ndc_dedup._arguments import Url
from ndc_dedup._new_rows import NewRows
from ndc_dedup._outputs import refuse_overwriting, written
from ndc_dedup._row_files import ROW_KINDS, kind_of, lines_to, parts_of, row_writer, rows_of, unicode_of
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

_ROWS_AT_ONCE = 1000


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
    """Reads a file and writes another one with the columns of ``dedup_table``; arguments as for that, and returns its
    ``counts``. The output is there when all of it is, or not at all.

    Parquet, JSON lines and CSV become any of these; WARC files, of which ``input`` names several with commas, become
    rows in .tsv or .jsonl. ``input`` may be a folder of parts of one kind, and ``"-"`` is standard input.
    """
    source, target = os.fspath(input), os.fspath(output)
    kind, parts = parts_of(source, target)
    kinds = kind, kind_of(target)
    refuse_overwriting(target, [0 if part == "-" else part for part in parts], store)
    if threads != 1 and kinds != ("parquet", "parquet"):
        raise InvalidArgumentError("only Parquet is read by more than one thread, and written as Parquet")
    if own_text and kind == "warc":
        raise InvalidArgumentError("rows of WARC files have no texts: own_text goes with Parquet, CSV and JSON lines")
    columns = TextColumns(text, id, url, content_type, own_text)
    with _Run(columns, keep, leave_out_parts, store, source, target, progress, options) as run:
        with written(target) as file:
            if kinds == ("parquet", "parquet"):
                run.parquet(parts, file, threads)
            elif kind in ROW_KINDS and kinds[1] in ROW_KINDS:
                run.rows(*kinds, parts, file)
            elif kind == "warc" and kinds[1] in ("tsv", "jsonl"):
                run.warc(parts, file)
            else:
                raise InvalidArgumentError(
                    f"{source} to {target}: Parquet, JSON lines and CSV (.parquet, .jsonl, .csv) become one of these, "
                    "WARC becomes .tsv or .jsonl"
                )
        run.finish()
    return run.counts


class _Run:
    """One file to another. Its engine is open until the output has its name, which is then noted in the store."""

    def __init__(
        self,
        columns: TextColumns,
        keep: str,
        leave_out_parts: bool,
        store: Optional[Path],
        source: str,
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
        self._source, self._target = source, target
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

    def parquet(self, parts: list[str], target: IO[bytes], threads: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        from ndc_dedup.tables import checked_batches, columns_of

        schema = parquet.read_schema(parts[0])

        def again() -> Iterator[pa.RecordBatch]:
            for part in parts:
                with parquet.ParquetFile(part) as file:
                    if not file.schema_arrow.equals(schema):
                        raise InvalidArgumentError(f"{part} has other columns than {parts[0]}")
                    yield from file.iter_batches(batch_size=_ROWS_AT_ONCE)

        reader = pa.RecordBatchReader.from_batches(schema, again())
        columns = columns_of(schema, self._columns)
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

    def rows(self, kind: str, target_kind: str, parts: list[str], target: IO[bytes]) -> None:
        text, id, url = self._columns[:3]
        # A row may lack any of them, but what all lack is misspelt. Only the column "id" need not be there.
        missing = {column for column in (text, None if id == "id" else id, url) if column is not None}
        with row_writer(target_kind, target, self._target, self._columns.added) as write:
            options = self._columns.options(self._options)
            engine = self._open(options)
            # What is no file, as a pipe, cannot be read again.
            may_wait = self._waits(options) and all(map(os.path.isfile, parts))
            waiting: Optional[WaitingRows] = None
            first_waiting = count = 0
            columns = self._columns
            for members, place in rows_of(kind, parts):
                missing -= members.keys()
                row = self._row(members, place)
                _, id_of_row, url_of_row = row
                if may_wait and waiting is None and url_of_row is not None:
                    waiting, first_waiting = WaitingRows(engine), count
                    columns = columns._replace(own_text=False)  # they get theirs when all is known
                answer, own_text = columns.check(engine, *row)
                if waiting is not None:
                    waiting.add(self._columns.name(id_of_row, url_of_row), answer)
                elif self._stays(engine, answer):
                    write(self._answered(members, answer, own_text))
                count += 1
                if count % _ROWS_AT_ONCE == 0:
                    self._done(_ROWS_AT_ONCE)
            if missing and count:
                raise InvalidArgumentError(f"no row of {self._source} has {', '.join(map(repr, sorted(missing)))}")
            if waiting is not None:
                rows = islice(rows_of(kind, parts), first_waiting, None)
                for answer, _, has_earlier_text in waiting.settled():
                    members, _ = next(rows, ({}, ""))
                    if not members:
                        raise InvalidArgumentError(f"{self._source} has changed while it was read")
                    if self._stays(engine, answer, has_earlier_text):
                        own_text = self._columns.own_text_now(engine, *self._values(members))
                        write(self._answered(members, answer, own_text))

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

    def _answered(self, members: dict[str, Any], answer: Optional[Result], own_text: Optional[str]) -> dict[str, Any]:
        return {**members, **dict(zip(self._columns.added, self._columns.values(answer, own_text)))}

    def warc(self, sources: list[str], target: IO[bytes]) -> None:
        tsv = kind_of(self._target) == "tsv"
        with lines_to(target, self._target) as out:
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
    return unicode_of("\t".join(words))


def _escaped(url: str) -> str:
    return url.replace("\t", "%09").replace("\n", "%0A").replace("\r", "%0D")


def _jsonl(row: Row) -> str:
    members = row._asdict()
    members["verdict"] = row.verdict.value
    members["flags"] = row.flags.words
    return unicode_of(json.dumps(members, ensure_ascii=False))
