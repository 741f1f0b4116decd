"""Reads what `ndc eval` wrote: folders with run.json and NAME.json. Whatever stands in them is taken for
hostile text."""
import dataclasses
import json
import pathlib
import unicodedata

TABLE_BYTES_LIMIT = 256 << 20
NUMBER_LIMIT = 1e15
NAME_LETTERS = 60
# What rows are told apart by: a row without is left out.
KEYS = (
    "detector",
    "decide",
    "text",
    "method",
    "where",
    "partitions",
    "pruning",
    "quadrant",
    "step",
    "fields",
    "filter",
)
# What may name something too, or be left empty.
NAMED = ("band", "unit", "collection", "same_label", "verdict", "error", "same_site", "kind", "kind_a", "kind_b")
# Every table that ndc eval writes.
NAMES = (
    "detectors",
    "detector_errors",
    "default_errors",
    "thresholds",
    "lcs_fingerprints",
    "lcs_windows",
    "lcs_slopes",
    "lcs_against",
    "lcs_sampled_sets",
    "lcs_templates",
    "spotsigs_thresholds",
    "spotsigs_work",
    "spotsigs_partitions",
    "moz_histogram",
    "moz_quadrants",
    "moz_pairs",
    "moz_thresholds",
    "moz_speed",
    "mwo_filters",
    "mwo_thresholds",
)
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class InputFault(Exception):
    """A folder that cannot be drawn; the text is one sentence for the user."""


def cleaned(text):
    """Without what would break a line, a page or an encoder: controls, surrogates, direction marks."""
    return "".join(
        REPLACEMENT if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") else letter for letter in text
    )


def cell(value):
    """A string, a number that can be a count or a measure, or None for all else."""
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if not abs(value) <= NUMBER_LIMIT:  # nor is nan; an int may be too great for a float
        return None
    return 0 if abs(value) < 1 / NUMBER_LIMIT else value


def shorter(name):
    """A name that a sentence has room for; both ends stay, which tell names apart."""
    return name if len(name) <= NAME_LETTERS else f"{name[:NAME_LETTERS // 2]}…{name[1 - NAME_LETTERS // 2:]}"


class Row(dict):
    """Column name to cell."""

    def number(self, column):
        """None where there is no number."""
        value = self.get(column)
        return value if isinstance(value, (int, float)) else None

    def text(self, column):
        value = self.get(column)
        return "" if value is None else str(value)


@dataclasses.dataclass
class Table:
    name: str
    rows: list

    def where(self, **wanted):
        """Rows whose cells are these."""
        return [row for row in self.rows if all(row.get(column) == value for column, value in wanted.items())]

    def values(self, column):
        """The distinct cells of a column, in the order of the rows."""
        return list(dict.fromkeys(row.get(column) for row in self.rows))


def numbers(rows, *columns):
    """The rows' cells as tuples, where all of them are numbers, ascending."""
    found = [tuple(row.number(column) for column in columns) for row in rows]
    return sorted(cells for cells in found if None not in cells)


def best(rows, column, most=True):
    """The row with the greatest (or least) number of a column, or None."""
    known = [row for row in rows if row.number(column) is not None]
    return (max if most else min)(known, key=lambda row: row[column], default=None)


def nearest(rows, column, value):
    """The row whose number is nearest to the value, or None."""
    known = [row for row in rows if row.number(column) is not None]
    return min(known, key=lambda row: (abs(row[column] - value), row[column]), default=None)


@dataclasses.dataclass
class Run:
    folder: pathlib.Path
    about: dict
    problems: list = dataclasses.field(default_factory=list)
    known: dict = dataclasses.field(default_factory=dict)

    @property
    def name(self):
        return self.text("name") or cleaned(self.folder.name)

    @property
    def silver(self):
        return self.about.get("silver") is True

    def text(self, *path):
        value = self.inside(path)
        return "" if value is None else str(value)

    def number(self, *path):
        value = self.inside(path)
        return value if isinstance(value, (int, float)) else None

    def inside(self, path):
        value = self.about
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return cell(value)

    def table(self, name, columns):
        """The table if it is there, has rows and these columns; else None, and the run's `problems` say
        what is wrong."""
        if name not in self.known:
            self.known[name] = self.read(name)
        table, present = self.known[name]
        if table is None or not table.rows:
            return None
        missing = [column for column in columns.split() if column not in present]
        if missing:
            self.tell(f"Table {name} of {self.name} has no column {missing[0]}.")
            return None
        return table

    def tell(self, problem):
        if problem not in self.problems:
            self.problems.append(problem)

    def listed(self):
        """The names of the tables that this run wrote."""
        names = self.about.get("tables")
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    def tell_unknown(self):
        unknown = sorted({cleaned(name) for name in self.listed()} - set(NAMES))
        if unknown:
            self.tell(f"{self.name} has tables that this page does not draw: {', '.join(unknown)}.")

    def read(self, name):
        path = self.folder / f"{name}.json"
        if not path.exists():
            return None, ()
        if name not in self.listed():
            self.tell(
                f"Table {name} of {self.name} is left out: its file is there, but run.json does not list it, so"
                " another run wrote it."
            )
            return None, ()
        data = read_json(path)
        try:
            present = [cleaned(column["name"]) for column in data["columns"]]
            rows = [Row(zip(present, map(cell, row), strict=True)) for row in data["rows"]]
            refused = sum(value is not None and cell(value) is None for row in data["rows"] for value in row)
        except (KeyError, TypeError, ValueError):
            raise InputFault(f"{path} is no table of ndc eval.") from None
        keys = [key for key in KEYS if key in present]
        for row in rows:
            row.update((key, shorter(row[key])) for key in (*keys, *NAMED) if isinstance(row.get(key), str))
        kept = [row for row in rows if all(isinstance(row[key], str) for key in keys)]
        if len(kept) < len(rows):
            self.tell(
                f"Table {name} of {self.name}: rows left out, for want of a name in {' or '.join(keys)}:"
                f" {len(rows) - len(kept)} of {len(rows)}."
            )
        if refused:
            self.tell(
                f"Table {name} of {self.name}: cells left out, which are neither text nor a number up to"
                f" {NUMBER_LIMIT:g}: {refused}."
            )
        return Table(name, kept), present


def read_json(path):
    try:
        if path.stat().st_size > TABLE_BYTES_LIMIT:
            raise InputFault(f"{path} is larger than {TABLE_BYTES_LIMIT >> 20} MiB.")
        return json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise InputFault(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise InputFault(f"{path} is not JSON.") from None


def read_run(folder):
    folder = pathlib.Path(folder)
    if not (folder / "run.json").is_file():
        raise InputFault(f"{folder} has no run.json: it is no folder that ndc eval wrote.")
    about = read_json(folder / "run.json")
    if not isinstance(about, dict):
        raise InputFault(f"{folder / 'run.json'} is no manifest of ndc eval.")
    return Run(folder, about)


def read_runs(folders):
    """Each with a name of its own."""
    runs = [read_run(folder) for folder in folders]
    for number, run in enumerate(runs, 1):
        if any(other.name == run.name for other in runs[: number - 1]):
            run.about["name"] = f"{run.name} ({number})"
    return runs
