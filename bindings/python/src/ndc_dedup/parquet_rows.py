"""Rows that the program ``ndc`` writes as JSON lines, as a Parquet file. Needs pyarrow, as the
extra ``arrow`` brings it."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from typing import IO, Any, Callable, Optional, Union

try:
    import pyarrow as pa
    import pyarrow.parquet as parquet
except ImportError as missing:
    raise ImportError("ndc writes Parquet with pyarrow, which is not installed: pip install pyarrow") from missing

from ndc_dedup._outputs import refuse_overwriting, written
from ndc_dedup._row_files import members_of
from ndc_dedup.errors import InvalidArgumentError

__all__ = ["rows_to_parquet"]

Path = Union[str, "os.PathLike[str]"]
_ROWS_AT_ONCE = 10_000

# By the names of docs/guide-cli.md, "JSON lines": what the first rows have does not decide the type of a column.
_TYPES: dict[str, pa.DataType] = {
    **dict.fromkeys(
        ("url", "verdict", "representative", "kept", "earlier_url", "event", "first_fetched", "last_fetched", "at"),
        pa.string(),
    ),
    "cluster_url": pa.string(),
    **dict.fromkeys(
        ("group_id", "page_id", "related_group_id", "sequence", "old_group_id", "new_group_id", "width"), pa.uint64()
    ),
    **dict.fromkeys(("page", "cluster_page"), pa.uint64()),
    **dict.fromkeys(("resemblance", "containment", "probability", "score"), pa.float64()),
    "flags": pa.list_(pa.string()),
}


def rows_to_parquet(source: Path, target: Path, progress: Optional[Callable[[int], Any]] = None) -> int:
    """Reads JSON lines of ``ndc dedup``, ``pairs``, ``dump``, ``events`` or ``similar``, "-" for standard input,
    and writes a column for each name that the first line has; how many rows. The output is there when all of it is,
    or not at all."""
    path = os.fspath(source)
    opened: Any = nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb")
    count = 0
    refuse_overwriting(target, [0 if path == "-" else path], None)
    with opened as file, written(target) as out:
        rows = _rows(file, path)
        some = list(islice(rows, _ROWS_AT_ONCE))
        schema = _schema_of(some[0] if some else {}, path)
        with parquet.ParquetWriter(out, schema) as writer:
            while some:
                writer.write_table(_table(some, schema, path))
                count += len(some)
                if progress is not None:
                    progress(len(some))
                some = list(islice(rows, _ROWS_AT_ONCE))
    return count


def _rows(file: Union[IO[bytes], io.BufferedIOBase], path: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(file, 1):
        if line.strip():
            yield members_of(line, f"{path}:{number}")


def _schema_of(row: dict[str, Any], path: str) -> pa.Schema:
    unknown = [name for name in row if name not in _TYPES]
    if unknown:
        raise InvalidArgumentError(f"{path}: {unknown[0]!r} is no name of the rows that ndc writes")
    return pa.schema([pa.field(name, _TYPES[name]) for name in row])


def _table(rows: list[dict[str, Any]], schema: pa.Schema, path: str) -> pa.Table:
    for row in rows:
        if len(row) != len(schema) or any(name not in row for name in schema.names):
            raise InvalidArgumentError(f"{path}: rows of several kinds: {json.dumps(row, ensure_ascii=False)[:200]}")
    try:
        return pa.Table.from_pylist(rows, schema=schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as failure:
        raise InvalidArgumentError(f"{path}: {failure}") from None
