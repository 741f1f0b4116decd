"""Files of texts in, the same with verdicts out: Parquet, JSON lines, WARC."""

from __future__ import annotations

import gzip
import io
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any, Callable, Optional, Union

from ndc._arguments import OptionValue
from ndc._new_rows import NewRows
from ndc._outputs import refuse_overwriting, written
from ndc.answers import Result
from ndc.engine import NearDuplicates
from ndc.errors import InvalidArgumentError
from ndc.rows import Row, check, pages_of, row_of
from ndc.text_columns import VERDICT_COLUMNS, RowChoice, TextColumns, UniqueIds, verdict_values

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
    threads: int = 1,
    store: Optional[Path] = None,
    progress: Progress = None,
    **options: OptionValue,
) -> Counter[str]:
    """Reads a file in batches and writes another one with ``ndc_group``, ``ndc_verdict``, ``ndc_resemblance`` and
    ``ndc_flags``; arguments as for ``dedup_table``, and returns its ``counts``. The output is there when all of it is,
    or not at all."""
    source, target = os.fspath(input), os.fspath(output)
    kinds = _kind(source), _kind(target)
    refuse_overwriting(target, source.split(",") if kinds[0] == "warc" else [source], store)
    if threads != 1 and kinds[0] != "parquet":
        raise InvalidArgumentError("only Parquet is read by more than one thread")
    columns = TextColumns(text, id, url, content_type)
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
        options: dict[str, OptionValue],
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

    def _open(self, options: dict[str, OptionValue]) -> NearDuplicates:
        engine = self._opened.enter_context(NearDuplicates(self._store, **options))
        self._new_rows = NewRows(engine, self._keep, self._target)
        return engine

    def finish(self) -> None:
        self._new_rows.finish()

    def _stays(self, engine: NearDuplicates, answer: Optional[Result]) -> bool:
        return self._choice.stays(answer, self._choice.relation(engine, answer))

    def _done(self, rows: int) -> None:
        if self._progress is not None:
            self._progress(rows)

    def parquet(self, source: str, target: IO[bytes], threads: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        from ndc.tables import checked_batches, columns_of

        with parquet.ParquetFile(source) as file:
            reader = pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(batch_size=_LINES_AT_ONCE))
            columns = columns_of(reader.schema, self._columns)
            engine = self._open(columns.options(self._options))
            batches = checked_batches(reader, columns, self._choice, engine, self._new_rows, threads, self._progress)
            with parquet.ParquetWriter(target, batches.schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)

    def jsonl(self, source: str, target: IO[bytes]) -> None:
        open_source = gzip.open if source.lower().endswith(".gz") else open
        text, id, url, _ = self._columns
        # A line may lack any of them, but what all lack is misspelt. Only the column "id" need not be there.
        missing = {column for column in (text, None if id == "id" else id, url) if column is not None}
        with open_source(source, "rb") as file, _lines_to(target, self._target) as out:
            engine = self._open(self._columns.options(self._options))
            for number, line in enumerate(file, 1):
                if line.strip():
                    missing -= self._line(engine, line, f"{source}:{number}", out).keys()
                if number % _LINES_AT_ONCE == 0:
                    self._done(_LINES_AT_ONCE)
        if missing and self.counts:
            raise InvalidArgumentError(f"no line of {source} has {', '.join(map(repr, sorted(missing)))}")

    def _line(self, engine: NearDuplicates, line: bytes, place: str, out: IO[str]) -> dict[str, Any]:
        """Its members."""
        members = members_of(line, place)
        text, id, url = (None if column is None else members.get(column) for column in self._columns[:3])
        for column, value in ((self._columns.text, text), (self._columns.url, url)):
            if value is not None and not isinstance(value, str):
                raise InvalidArgumentError(f"{place}: {column!r} has to be a string, not {type(value).__name__}")
        if isinstance(id, (dict, list)):
            raise InvalidArgumentError(
                f"{place}: {self._columns.id!r} has to be a number or a string, not {type(id).__name__}"
            )
        self._ids.take(id, url, place)
        self._new_rows.begin()
        answer = self._columns.check(engine, text, id, url)
        if self._stays(engine, answer):
            members.update(zip(VERDICT_COLUMNS, verdict_values(answer)))
            out.write(_unicode(json.dumps(members, ensure_ascii=False)) + "\n")
        return members

    def warc(self, sources: list[str], target: IO[bytes]) -> None:
        tsv = _kind(self._target) == "tsv"
        with _lines_to(target, self._target) as out:
            engine = self._open(self._options)
            if tsv:
                out.write("#url\tgroup_id\tverdict\trepresentative\tresemblance\tcontainment\tpage_id\n")
            for page in pages_of(sources):
                self._new_rows.begin()
                answer = check(engine, page)
                if self._stays(engine, answer):
                    row = row_of(engine, page.url, answer)
                    out.write((_tsv(row) if tsv else _jsonl(row)) + "\n")
                self._done(1)


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
        str(row.group_id),
        row.verdict.value,
        "-" if row.representative is None else _escaped(row.representative),
        "-" if row.resemblance is None else f"{row.resemblance:.4f}",
        "-" if row.containment is None else f"{row.containment:.4f}",
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
