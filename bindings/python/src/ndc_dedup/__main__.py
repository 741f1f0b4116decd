"""``python -m ndc_dedup``: the tables and archives of the package from a shell. (The program ``ndc`` is another one,
and does more.)"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Callable, Optional, cast

import ndc_dedup as ndc
from ndc_dedup import files
from ndc_dedup.option_types import Options


_ALSO_KEPT = {"kept_others": "other documents", "kept_parts": "with much more or less text"}


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m ndc_dedup", description=__doc__)
    parser.add_argument("--version", action="version", version=ndc.__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    dedup = commands.add_parser(
        "dedup",
        help="near-duplicates of a table of texts, or of WARC files",
        description=(
            "Reads Parquet, JSON lines or CSV (.parquet, .jsonl, .csv, .jsonl.gz, .csv.gz), and writes one of them "
            "with ndc_group, ndc_verdict, ndc_resemblance, ndc_probability, ndc_related_group and ndc_flags. Of WARC "
            "files (.warc, .warc.gz) it writes a row for each page, as .tsv or .jsonl."
        ),
    )
    dedup.add_argument(
        "input", help="a file, or a folder of parts; of WARC files several, separated by commas; - for standard input"
    )
    dedup.add_argument("output")
    dedup.add_argument("--text-column", default="text")
    dedup.add_argument("--id-column", default="id", help='identifies a row, if it is there ("id")')
    dedup.add_argument("--url-column", help="URLs, which identify instead and say which rows are of one site")
    dedup.add_argument("--content-type", default="text/plain", help="text/html for pages (text/plain)")
    dedup.add_argument(
        "--keep",
        choices=("all", "new"),
        default="all",
        help="new: leave out what is unchanged, and what is exact or near and a copy of a row that stays",
    )
    dedup.add_argument(
        "--leave-out-parts",
        action="store_true",
        help="with --keep new: leave out as well what contains a row that stays and much more, or lies in one so",
    )
    dedup.add_argument(
        "--own-text",
        action="store_true",
        help="add ndc_own_text: the text without what the row's site is known to repeat",
    )
    dedup.add_argument("--threads", type=int, default=1)
    dedup.add_argument("--store", help="a directory in which what was read stays known")
    dedup.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the library")
    dedup.add_argument("--quiet", action="store_true", help="no progress, no summary")
    rows = commands.add_parser(
        "to-parquet",
        help="rows that the program ndc has written, as Parquet",
        description=(
            "Reads JSON lines of `ndc dedup --format jsonl`, `ndc dump`, `ndc events`, `ndc pairs` or `ndc similar`, "
            "and writes a Parquet file with a column for each name."
        ),
    )
    rows.add_argument("input", help="a file; - for standard input")
    rows.add_argument("output")
    rows.add_argument("--quiet", action="store_true", help="no progress, no summary")
    given = parser.parse_args(arguments)
    try:
        return _to_parquet(given) if given.command == "to-parquet" else _dedup(given, dedup)
    except (ndc.NdcError, OSError, ImportError, ValueError) as failure:
        print(f"ndc: {_sentence(failure)}", file=sys.stderr)
        return 1


def _sentence(failure: BaseException) -> str:
    if isinstance(failure, OSError) and failure.filename is not None:
        return f"{failure.filename}: {failure.strerror}"
    return str(failure)


def _to_parquet(given: argparse.Namespace) -> int:
    # It needs a package that not everybody has.
    from ndc_dedup.parquet_rows import rows_to_parquet

    with _progress(given.quiet) as progress:
        count = rows_to_parquet(given.input, given.output, progress)
    if not given.quiet:
        print(f"ndc: {count:,} rows", file=sys.stderr)
    return 0


def _dedup(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    options: dict[str, str] = {}
    for option in given.option:
        key, equals, value = option.partition("=")
        if not equals:
            parser.error(f"--option {option}: KEY=VALUE is asked for")
        options[key] = value
    with _progress(given.quiet) as progress:
        counts = files.dedup_file(
            given.input,
            given.output,
            text=given.text_column,
            id=given.id_column,
            url=given.url_column,
            content_type=given.content_type,
            keep=given.keep,
            leave_out_parts=given.leave_out_parts,
            own_text=given.own_text,
            threads=given.threads,
            store=given.store,
            progress=progress,
            **cast(Options, options),
        )
    if not given.quiet:
        print(_summary(counts), file=sys.stderr)
    return 0


def _summary(counts: Counter[str]) -> str:
    verdicts = {name: count for name, count in sorted(counts.items()) if name not in _ALSO_KEPT}
    if not verdicts:
        return "ndc: no rows"
    words = ", ".join(f"{count:,} {name}" for name, count in verdicts.items())
    line = f"ndc: {sum(verdicts.values()):,} rows: {words}"
    kept = [f"{counts[name]:,} {words}" for name, words in _ALSO_KEPT.items() if counts[name]]
    return line + ("; also kept: " + ", ".join(kept) if kept else "")


def _progress(quiet: bool) -> AbstractContextManager[Optional[Callable[[int], Any]]]:
    if not quiet and sys.stderr.isatty():
        try:
            from tqdm import tqdm
        except ImportError:
            return nullcontext(None)
        bar = tqdm(unit=" rows", unit_scale=True)
        return _Bar(bar)
    return nullcontext(None)


class _Bar(AbstractContextManager[Callable[[int], Any]]):
    def __init__(self, bar: Any):
        self._bar = bar

    def __enter__(self) -> Callable[[int], Any]:
        update: Callable[[int], Any] = self._bar.update
        return update

    def __exit__(self, *failure: object) -> None:
        self._bar.close()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
