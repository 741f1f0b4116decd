"""Tables of texts: Arrow in, the same table with six columns more out. Needs pyarrow, as
the extra ``arrow`` brings it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar, Union

try:
    import pyarrow as pa
except ImportError as missing:
    raise ImportError("ndc reads tables with pyarrow, which is not installed: pip install pyarrow") from missing


from ndc_dedup._new_rows import NewRows
from ndc_dedup._settling import WaitingRows, asks_sites
from ndc_dedup.answers import Result
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import InvalidArgumentError
from ndc_dedup.leaving_out import Relation
from ndc_dedup.option_types import Options
from ndc_dedup.rows import opened
from ndc_dedup.text_columns import OWN_TEXT_COLUMN, VERDICT_COLUMNS, RowChoice, TextColumns, UniqueIds

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["dedup_batches", "dedup_table"]

_KINDS = (pa.int64(), pa.string(), pa.float64(), pa.float64(), pa.int64(), pa.list_(pa.string()))
FIELDS = {name: pa.field(name, kind) for name, kind in zip(VERDICT_COLUMNS, _KINDS)}
FIELDS[OWN_TEXT_COLUMN] = pa.field(OWN_TEXT_COLUMN, pa.large_string())
_BATCH_ROWS = 1000
_ROWS_AT_ONCE = 32  # of a thread
# Rows of less text on average stay in one thread: between their checks two would wait for each other's interpreter,
# which took 1.23 times the CPU at 100 bytes, 1.07 at 1 KB, 1.00 at 5 KB.
_SHORT_TEXT_BYTES = 2048

Answer = tuple[Optional[Result], Optional[Relation], Optional[str]]  # with the row's own text
Again = Optional[Callable[[], Iterable[pa.RecordBatch]]]
_Answer = TypeVar("_Answer")
Store = Union[str, "os.PathLike[str]", None]


def dedup_table(
    table: Any,
    text: str = "text",
    id: Optional[str] = "id",
    url: Optional[str] = None,
    *,
    engine: Optional[NearDuplicates] = None,
    store: Store = None,
    content_type: str = "text/plain",
    keep: str = "all",
    leave_out_parts: bool = False,
    own_text: bool = False,
    counts: Optional[Counter[str]] = None,
    threads: int = 1,
    progress: Optional[Callable[[int], object]] = None,
    **options: Unpack[Options],
) -> Any:
    """The table with the columns ``ndc_group``, ``ndc_verdict``, ``ndc_resemblance``, ``ndc_probability``,
    ``ndc_related_group`` and ``ndc_flags``.

    The probability is that the text is the same document as the one that represents its group; of a new text as the
    one that represents the related group, which it resembles most.

    ``table``: pyarrow (Table, RecordBatch, RecordBatchReader), polars (DataFrame, LazyFrame) or pandas (DataFrame),
    datasets (Dataset), or anything with an Arrow stream. polars and pandas come back as what they are, a
    RecordBatchReader as one that works as it is read, all else as pyarrow.Table. A Series or an array of texts comes
    back as a frame or a table, in which it is the column ``text``.

    ``text``: the column that is compared; null is passed over. ``id``: a column of whatever identifies a row, each id
    once; in a store the id of an earlier table is its text, updated. Without the column "id", or with None, each row
    is one of its own. ``url``: a column of URLs, which identify instead of ids and say which rows are of one site.
    They are decided by what is known of their sites at the end of the table, but those of a RecordBatchReader, and any
    with ``store`` or ``engine``, as they come. ``content_type`` is ``text/html`` for pages. ``keep="new"`` leaves out
    what is unchanged, and what is exact or near and a copy of the row that founded its group; a row that contains that
    one and much more, or lies in it so, with ``leave_out_parts`` only. ``counts`` gets how often each verdict was
    given ("null": no text), and under ``kept_others`` and ``kept_parts`` how many exact or near rows stay.
    ``own_text`` adds the column ``ndc_own_text``: the text without what the row's site is known to repeat
    (``NearDuplicates.own_text``), by what the row is decided by. With ``threads`` other than 1 the answers may depend
    on their race. ``progress`` is called with the number of rows that each batch had.
    """
    reader, again, back = _reader_of(table, text, url is not None)
    columns = TextColumns(text, id, url, content_type, own_text)
    choice = RowChoice(keep, leave_out_parts, Counter() if counts is None else counts)
    return back(_dedup(reader, again, columns, choice, keep, engine, store, threads, progress, options))


def dedup_batches(
    reader: pa.RecordBatchReader,
    text: str = "text",
    id: Optional[str] = "id",
    url: Optional[str] = None,
    *,
    engine: Optional[NearDuplicates] = None,
    store: Store = None,
    content_type: str = "text/plain",
    keep: str = "all",
    leave_out_parts: bool = False,
    own_text: bool = False,
    counts: Optional[Counter[str]] = None,
    threads: int = 1,
    progress: Optional[Callable[[int], object]] = None,
    **options: Unpack[Options],
) -> pa.RecordBatchReader:
    """``dedup_table`` of a stream of batches: they are answered as they are read, and none is kept."""
    columns = TextColumns(text, id, url, content_type, own_text)
    choice = RowChoice(keep, leave_out_parts, Counter() if counts is None else counts)
    return _dedup(reader, None, columns, choice, keep, engine, store, threads, progress, options)


def _dedup(
    reader: pa.RecordBatchReader,
    again: Again,
    columns: TextColumns,
    choice: RowChoice,
    keep: str,
    engine: Optional[NearDuplicates],
    store: Store,
    threads: int,
    progress: Optional[Callable[[int], object]],
    options: Options,
) -> pa.RecordBatchReader:
    columns = columns_of(reader.schema, columns)
    _require_threads(threads)
    if engine is None:
        options = columns.options(options)
    if engine is not None or store is not None or not asks_sites(options):
        again = None
    # Now and not with the first batch: what is wrong with them is the caller's to see.
    with ExitStack() as stack:
        checking = stack.enter_context(opened(engine, store, options))
        new_rows = NewRows(checking, keep) if engine is None else None
        batches = checked_batches(reader, again, columns, choice, checking, new_rows, threads, progress)
        opening = stack.pop_all()

    def rows() -> Iterator[pa.RecordBatch]:
        with opening:
            yield from batches
            if new_rows is not None:
                new_rows.finish()

    return pa.RecordBatchReader.from_batches(batches.schema, rows())


def columns_of(schema: pa.Schema, columns: TextColumns) -> TextColumns:
    """The same, without the column "id" if there is none. Raises InvalidArgumentError for what the table has not."""
    if columns.id == "id" and "id" not in schema.names:
        columns = columns._replace(id=None)
    text, id, url = columns[:3]
    for column in (text, id, url):
        if column is not None:
            _index_of(schema, column)
    _as_bytes(pa.array([], schema.field(text).type), text)
    if id is not None and pa.types.is_nested(schema.field(id).type):
        raise InvalidArgumentError(f"column {id!r} has to be numbers or strings, not {schema.field(id).type}")
    return columns


def _require_threads(threads: int) -> None:
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        raise InvalidArgumentError(f"threads has to be 1..1024, not {threads!r}")


def checked_batches(
    reader: pa.RecordBatchReader,
    again: Again,
    columns: TextColumns,
    choice: RowChoice,
    engine: NearDuplicates,
    new_rows: Optional[NewRows],
    threads: int,
    progress: Optional[Callable[[int], object]],
) -> pa.RecordBatchReader:
    """The batches with their answers. Whoever reads them to the end finishes ``new_rows``, which this begins.

    ``again`` gives the same batches once more: those from the first with a URL on wait until the last row was checked
    and all is settled. None: each has its answers as it comes.
    """
    _require_threads(threads)
    kept = [index for index, name in enumerate(reader.schema.names) if name not in columns.added]
    added = [FIELDS[name] for name in columns.added]
    schema = pa.schema([*(reader.schema.field(index) for index in kept), *added], reader.schema.metadata)
    # Those that wait get theirs when all is known.
    at_first = columns._replace(own_text=False)

    def check(*row: Any) -> Optional[Result]:
        return at_first.check(engine, *row)[0]

    def check_and_relate(*row: Any) -> Answer:
        answer, own_text = columns.check(engine, *row)
        return answer, choice.relation(engine, answer), own_text

    def answered(batch: pa.RecordBatch, answers: list[Answer]) -> pa.RecordBatch:
        stays = [choice.stays(answer, relation) for answer, relation, _ in answers]
        values = [columns.values(answer, own_text) for answer, _, own_text in answers]
        arrays = [pa.array([row[index] for row in values], field.type) for index, field in enumerate(added)]
        out = pa.RecordBatch.from_arrays([*(batch.column(index) for index in kept), *arrays], schema=schema)
        return out if all(stays) else out.filter(pa.array(stays))

    def rows() -> Iterator[pa.RecordBatch]:
        with ExitStack() as stack:
            ids, count, given = UniqueIds(columns), 0, 0
            waiting: Optional[WaitingRows] = None
            pool = stack.enter_context(ThreadPoolExecutor(threads)) if threads > 1 else None
            for batch in reader:
                asked = _rows(batch, columns)
                for number, (_, id_of_row, url_of_row) in enumerate(asked, count):
                    ids.take(id_of_row, url_of_row, f"row {number}, counted from 0")
                count += batch.num_rows
                if new_rows is not None:
                    new_rows.begin()
                if waiting is None and again is not None and any(url is not None for _, _, url in asked):
                    waiting = WaitingRows(engine)
                if waiting is not None:
                    for (_, id_of_row, url_of_row), answer in zip(asked, _answers(check, asked, pool)):
                        waiting.add(columns.name(id_of_row, url_of_row), answer)
                else:
                    yield answered(batch, _answers(check_and_relate, asked, pool))
                    given += 1
                if progress is not None:
                    progress(batch.num_rows)
        if waiting is None or again is None:
            return
        settled = waiting.settled()
        for batch in islice(again(), given, None):
            answers = []
            for row, (answer, _, has_earlier_text) in zip(_rows(batch, columns), islice(settled, batch.num_rows)):
                relation = choice.relation(engine, answer, has_earlier_text)
                answers.append((answer, relation, columns.own_text_now(engine, *row)))
            yield answered(batch, answers)

    return pa.RecordBatchReader.from_batches(schema, rows())


def _answers(
    check: Callable[..., _Answer], rows: list[tuple[Any, ...]], pool: Optional[ThreadPoolExecutor]
) -> list[_Answer]:
    if pool is None or sum(len(text or b"") for text, _, _ in rows) < _SHORT_TEXT_BYTES * len(rows):
        return [check(*row) for row in rows]
    parts = [rows[begin : begin + _ROWS_AT_ONCE] for begin in range(0, len(rows), _ROWS_AT_ONCE)]
    return [answer for part in pool.map(lambda part: [check(*row) for row in part], parts) for answer in part]


def _rows(batch: pa.RecordBatch, columns: TextColumns) -> list[tuple[Any, ...]]:
    texts = _as_bytes(batch.column(_index_of(batch.schema, columns.text)), columns.text)
    ids, urls = (
        [None] * batch.num_rows if name is None else batch.column(_index_of(batch.schema, name)).to_pylist()
        for name in (columns.id, columns.url)
    )
    for value in urls:
        if value is not None and not isinstance(value, (str, bytes)):
            raise InvalidArgumentError(f"column {columns.url!r} has to be strings, not {type(value).__name__}")
    return list(zip(texts, ids, urls))


def _as_bytes(column: pa.Array, name: str) -> list[Optional[bytes]]:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _as_bytes(column.dictionary_decode(), name)
    if pa.types.is_null(kind):
        return [None] * len(column)
    if not any(
        test(kind)
        for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    ):
        if not (hasattr(pa.types, "is_string_view") and pa.types.is_string_view(kind)):
            raise InvalidArgumentError(f"column {name!r} has to be strings, not {kind}")
    values: list[Optional[bytes]] = column.cast(pa.large_binary()).to_pylist()
    return values


def _index_of(schema: pa.Schema, name: str) -> int:
    found: list[int] = schema.get_all_field_indices(name)
    if len(found) != 1:
        what = "no column" if not found else f"{len(found)} columns"
        raise InvalidArgumentError(
            f"the table has {what} {name!r}; its columns are {', '.join(map(repr, schema.names))}"
        )
    return found[0]


def _reader_of(
    table: Any, text: str, waits: bool
) -> tuple[pa.RecordBatchReader, Again, Callable[[pa.RecordBatchReader], Any]]:
    """A table as a stream, the same once more, and the way back from one. ``text``: the name of a column without one.
    ``waits``: what can be read only once is read into memory, if what comes back is there anyway."""
    if isinstance(table, pa.RecordBatchReader):
        return table, None, lambda reader: reader
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    if isinstance(table, pa.Table):
        return _reader_of_whole(table, lambda reader: reader.read_all())
    if isinstance(table, (pa.Array, pa.ChunkedArray)):
        return _reader_of_whole(pa.table({text: table}), lambda reader: reader.read_all())
    library = type(table).__module__.partition(".")[0]
    if library in ("pandas", "polars") and type(table).__name__ == "Series":
        table = table.to_frame(text)
    if library == "polars" and type(table).__name__ == "LazyFrame":
        return _reader_of_whole(table.collect().to_arrow(), lambda reader: _to_polars(reader).lazy())
    if library == "pandas":
        return _reader_of_whole(pa.Table.from_pandas(table), _to_pandas)
    if library == "polars" and hasattr(table, "to_arrow"):
        return _reader_of_whole(table.to_arrow(), _to_polars)
    if hasattr(table, "with_format") and hasattr(table, "iter") and hasattr(table, "features"):  # datasets.Dataset

        def batches() -> Iterator[pa.RecordBatch]:
            parts = table.with_format("arrow").iter(batch_size=_BATCH_ROWS)
            return (batch for part in parts for batch in part.to_batches())

        reader = pa.RecordBatchReader.from_batches(table.features.arrow_schema, batches())
        if hasattr(table, "__len__"):  # an IterableDataset may give others, or none, the second time
            return reader, batches, lambda reader: reader.read_all()
    elif hasattr(table, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(table)
    else:
        raise TypeError(
            "a table has to be of pyarrow, polars, pandas or datasets, or to have an Arrow stream, not "
            f"{type(table).__name__}"
        )
    if waits:
        return _reader_of_whole(reader.read_all(), lambda reader: reader.read_all())
    return reader, None, lambda reader: reader.read_all()


def _reader_of_whole(
    table: pa.Table, back: Callable[[pa.RecordBatchReader], Any]
) -> tuple[pa.RecordBatchReader, Again, Callable[[pa.RecordBatchReader], Any]]:
    def batches() -> pa.RecordBatchReader:
        return table.to_reader(max_chunksize=_BATCH_ROWS)

    return batches(), batches, back


def _to_pandas(reader: pa.RecordBatchReader) -> Any:
    frame = reader.read_all().to_pandas()
    for name in ("ndc_group", "ndc_related_group"):
        frame[name] = frame[name].astype("Int64")  # not numbers with a fraction, for a null among them
    return frame


def _to_polars(reader: pa.RecordBatchReader) -> Any:
    import polars

    return polars.from_arrow(reader.read_all())
