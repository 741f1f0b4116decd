"""Files of rows as dictionaries: JSON lines, CSV and Parquet, one file, a folder of parts, or standard input."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Callable, Optional

from ndc_dedup.errors import InvalidArgumentError

__all__ = ["Row", "kind_of", "lines_to", "members_of", "parts_of", "row_writer", "rows_of", "unicode_of"]

Row = dict[str, Any]

STANDARD_INPUT = "-"
ROW_KINDS = ("csv", "jsonl", "parquet")
_KINDS = {"pq": "parquet", "json": "jsonl", "ndjson": "jsonl"}
_ROWS_AT_ONCE = 1000
_MOST_CELL_CHARS = 1 << 30


def kind_of(path: str) -> str:
    """By the end of the name: one of ROW_KINDS, or what it is."""
    name = path.lower()
    ending = (name[:-3] if name.endswith(".gz") else name).rpartition(".")[2]
    return _KINDS.get(ending, ending)


def parts_of(source: str, target: str) -> tuple[str, list[str]]:
    """The kind of an input, and the files that it is in. A folder has those whose kind is known, in the order of their
    names; standard input has CSV if ``target`` is CSV, else JSON lines."""
    if source == STANDARD_INPUT:
        return "csv" if kind_of(target) == "csv" else "jsonl", [source]
    if not os.path.isdir(source):
        return kind_of(source), source.split(",") if kind_of(source) == "warc" else [source]
    names = sorted(name for name in os.listdir(source) if name[0] not in "._" and kind_of(name) in ROW_KINDS)
    kinds = {kind_of(name) for name in names}
    if len(kinds) != 1:
        found = " and ".join(sorted(kinds)) or "none of them"
        raise InvalidArgumentError(f"{source}: a folder has parts of one kind, Parquet, CSV or JSON lines, not {found}")
    return kinds.pop(), [os.path.join(source, name) for name in names]


def rows_of(kind: str, parts: list[str]) -> Iterator[tuple[Row, str]]:
    """Each row, and what names its place in errors."""
    for part in parts:
        yield from {"csv": _csv_rows, "jsonl": _json_rows, "parquet": _parquet_rows}[kind](part)


@contextmanager
def _opened(part: str) -> Iterator[Any]:
    if part == STANDARD_INPUT:
        yield open(0, "rb", closefd=False)
    elif part.lower().endswith(".gz"):
        with gzip.open(part, "rb") as packed:
            yield packed
    else:
        with open(part, "rb") as file:
            yield file


def _json_rows(part: str) -> Iterator[tuple[Row, str]]:
    with _opened(part) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                place = f"{part}:{number}"
                yield members_of(line, place), place


def _csv_rows(part: str) -> Iterator[tuple[Row, str]]:
    # Of the whole process, and too small for a long text.
    csv.field_size_limit(max(csv.field_size_limit(), _MOST_CELL_CHARS))
    with _opened(part) as file:
        lines = csv.reader(io.TextIOWrapper(file, "utf-8-sig", newline=""), strict=True)
        names: Optional[list[str]] = None
        try:
            for cells in lines:
                place = f"{part}:{lines.line_num}"
                if names is None:
                    names = cells
                    if len(set(names)) != len(names):
                        raise InvalidArgumentError(f"{place}: two columns have one name: {', '.join(names)}")
                elif cells and len(cells) != len(names):
                    raise InvalidArgumentError(f"{place}: {len(cells)} cells, where the first line has {len(names)}")
                elif cells:
                    yield dict(zip(names, cells)), place
        except (csv.Error, UnicodeDecodeError) as failure:
            raise InvalidArgumentError(f"{part}:{lines.line_num}: {failure}") from None


def _parquet_rows(part: str) -> Iterator[tuple[Row, str]]:
    import pyarrow.parquet as parquet

    number = 0
    with parquet.ParquetFile(part) as file:
        for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
            for number, row in enumerate(batch.to_pylist(), number):
                yield row, f"{part}, row {number}, counted from 0"
            number += 1


def members_of(line: bytes, place: str) -> Row:
    """The object in a line of JSON; ``place`` names the line in errors."""
    try:
        members = json.loads(line)
    except (ValueError, RecursionError) as failure:
        raise InvalidArgumentError(f"{place}: {failure}") from None
    if not isinstance(members, dict):
        raise InvalidArgumentError(f"{place}: a line has to be an object, not {type(members).__name__}")
    return members


@contextmanager
def lines_to(file: IO[bytes], name: str) -> Iterator[IO[str]]:
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


def unicode_of(line: str) -> str:
    """Without lone surrogates, which are no text; URLs that are no UTF-8 have them."""
    return line.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


@contextmanager
def row_writer(kind: str, file: IO[bytes], name: str, added: tuple[str, ...]) -> Iterator[Callable[[Row], object]]:
    """What writes a row after the other into the file of this name. ``added``: the columns of ndc."""
    if kind == "parquet":
        parquet = _ParquetRows(file, name, added)
        try:
            yield parquet.write
            parquet.finish()
        finally:
            parquet.close()
        return
    with lines_to(file, name) as out:
        if kind == "csv":
            yield _CsvRows(out, name).write
        else:
            yield lambda row: out.write(unicode_of(_json(row)) + "\n")


def _json(value: Any) -> str:
    """With what Parquet has and JSON has not, such as dates, as text."""

    def as_text(other: Any) -> str:
        return other.decode("utf-8", "replace") if isinstance(other, bytes) else str(other)

    return json.dumps(value, ensure_ascii=False, default=as_text)


def _refuse_more(row: Row, names: Any, name: str) -> None:
    if not row.keys() <= names.keys():
        more = next(column for column in row if column not in names)
        raise InvalidArgumentError(f"{name}: {more!r} comes first in a late row; JSON lines may have such rows")


class _CsvRows:
    """Has the columns of the first row."""

    def __init__(self, out: IO[str], name: str) -> None:
        self._lines = csv.writer(out, lineterminator="\n")
        self._name = name
        self._names: dict[str, None] = {}

    def write(self, row: Row) -> None:
        if not self._names:
            self._names = dict.fromkeys(row)
            self._lines.writerow(map(unicode_of, self._names))
        _refuse_more(row, self._names, self._name)
        self._lines.writerow(self._cell(row.get(column)) for column in self._names)

    @staticmethod
    def _cell(value: Any) -> str:
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            value = " ".join(value)  # flags
        elif isinstance(value, (list, dict, bool, bytes)):
            value = _json(value)
        return unicode_of("" if value is None else str(value))


class _ParquetRows:
    """Has the columns of the first rows, with the types that they have there."""

    def __init__(self, file: IO[bytes], name: str, added: tuple[str, ...]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        from ndc_dedup.tables import FIELDS

        self._pa, self._parquet = pa, parquet
        self._file, self._name = file, name
        self._fields = {column: FIELDS[column] for column in added}
        self._rows: list[Row] = []
        self._writer: Any = None

    def write(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) == _ROWS_AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """What is left, and the columns if there was no row."""
        pa = self._pa
        try:
            if self._writer is None:
                self._names = dict.fromkeys([column for row in self._rows for column in row] or self._fields)
                self._schema = pa.schema([self._field(column) for column in self._names])
                self._writer = self._parquet.ParquetWriter(self._file, self._schema)
            for row in self._rows:
                _refuse_more(row, self._names, self._name)
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError) as failure:
            raise InvalidArgumentError(f"{self._name}: {failure}; JSON lines may have such rows") from None
        self._rows = []

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()

    def _field(self, column: str) -> Any:
        if column in self._fields:
            return self._fields[column]
        kind = self._pa.array([row.get(column) for row in self._rows]).type
        return self._pa.field(column, self._pa.string() if self._pa.types.is_null(kind) else kind)
