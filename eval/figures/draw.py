#!/usr/bin/env python3
"""Draws what `ndc eval` measured: OUT/index.html, OUT/figures/NAME.svg and NAME.png.

    draw.py RUN_DIR... [-o OUT]

Each RUN_DIR is a folder with run.json and tables NAME.json; several stand side by side. OUT is the first RUN_DIR if not
given. Exit codes: 0; 1 something cannot be read or written; 2 wrong call; 3 matplotlib is missing.
"""
import argparse
import pathlib
import sys
import warnings

import tables

RUNS_LIMIT = 6
FAULT, NO_MATPLOTLIB = 1, 3


def parsed(arguments):
    parser = argparse.ArgumentParser(
        prog="draw.py", description="Draws the tables of ndc eval as one page with figures."
    )
    parser.add_argument(
        "runs", metavar="RUN_DIR", nargs="+", help="a folder that ndc eval wrote; several are drawn side by side"
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="folder for index.html and figures/; default: the first RUN_DIR"
    )
    chosen = parser.parse_args(arguments)
    if len(chosen.runs) > RUNS_LIMIT:
        parser.error(f"more than {RUNS_LIMIT} runs do not fit beside each other")
    return chosen


def draw(folders, output):
    """Writes the page and its figures; returns the path of the page. Errors: tables.InputFault, OSError."""
    import overview  # behind the check for matplotlib

    runs = tables.read_runs(folders)
    figures = output / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    path = output / "index.html"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of matplotlib, on odd data: nothing that its user could mend
        path.write_text(overview.whole_page(runs, figures), encoding="utf-8", errors="replace")
    return path


def main(arguments):
    chosen = parsed(arguments)
    try:
        import matplotlib  # noqa: F401: only whether it is there
    except ImportError:
        print(
            f"draw.py: this Python ({sys.executable}) has no matplotlib; install the package python3-matplotlib and run"
            " draw.py with the Python it belongs to.",
            file=sys.stderr,
        )
        return NO_MATPLOTLIB
    output = pathlib.Path(chosen.output or chosen.runs[0])
    try:
        path = draw(chosen.runs, output)
    except tables.InputFault as fault:
        print(f"draw.py: {fault}", file=sys.stderr)
        return FAULT
    except OSError as error:
        print(f"draw.py: {error.filename or output} cannot be written: {error.strerror or error}.", file=sys.stderr)
        return FAULT
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
