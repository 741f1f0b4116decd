"""Numbers and sentences: how they are written, and sentences that are true for the data at hand."""

NAMES = {
    "lcs": "LCS partition",
    "spotsigs": "SpotSigs",
    "i-match-s": "I-Match-S",
    "lsh-s": "LSH-S",
    "moz-vector": "Moz vector",
    "simhash64": "simhash 64",
    "simhash128": "simhash 128",
    "mwo": "MWO",
    "shingles": "shingles",
    "minhash": "min-hash",
    "cosine": "cosine",
    "i-match": "I-Match",
    "exact": "exact",
    "shingles-1": "1-shingles",
    "shingles-3": "3-shingles",
    "cosine-1": "1-shingles, cosine",
    "cosine-3": "3-shingles, cosine",
}
NAME_LETTERS = 30
NO_PAIR = "no pair to be found or said"
# Of tables, what counts work that was left out: (column, thing, what became of it).
CUT = (
    ("limited", "comparison", "stopped by the limit of work"),
    ("bounded", "page", "not compared with all of its set"),
    ("limited_buckets", "bucket", "of LSH-S compared in part"),
)


def name_of(detector):
    return shortened(NAMES.get(detector, detector), NAME_LETTERS)


def shortened(text, letters):
    return text if len(text) <= letters else text[: letters - 1] + "…"


def says_pairs(row):
    """Whether precision is that of any pair: without one it may stand as 1."""
    precision = row.number("precision")
    return precision is not None and (bool(row.number("recall")) or precision < 1)


def share(value, places=3):
    """A share of 1, or – where there is none."""
    return "–" if value is None else f"{value:.{places}f}"


def known(value, text):
    """The text if there is a value: for the clauses of a sentence."""
    return "" if value is None else text


def count(value):
    return "–" if value is None else f"{value:,.0f}"


def plural(written, thing):
    """“1 pair”, “1,234 pairs”; `written`: a number as `count` or `amount` writes it."""
    return f"{written} {thing}{'' if written == '1' else 's'}"


def counted(value, thing):
    return plural(count(value), thing)


def verb(value, one, many):
    """The form that goes with so many."""
    return one if count(value) == "1" else many


def amount(value):
    """A quantity with three digits that count."""
    if value is None:
        return "–"
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.2g}"


def times(value):
    return "–" if value is None else f"{amount(value)}×"


def signed(value, places=3):
    if value is None:
        return "–"
    text = f"{abs(value):.{places}f}"
    if not float(text):
        return text  # neither more nor less
    return f"{'+' if value > 0 else '−'}{text}"


def joined(names):
    names = list(names)
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def some(names, most=3):
    """The first few names, and how many others there are."""
    names = list(names)
    return joined(names if len(names) <= most else names[:most] + [counted(len(names) - most, "other")])


def by_run(runs, sentence):
    """The sentence of each run, beginning with its name if there are several; equal ones are said once. `sentence(run)`
    may be None."""
    said = {}
    for run in runs:
        text = sentence(run)
        if text:
            said.setdefault(text, []).append(run.name)
    if len(runs) == 1:
        return [text[0].upper() + text[1:] for text in said]
    return [f"{joined(names)}: {text}" for text, names in said.items()]


def compared(measured, reported, same=0.01, places=3):
    """“.012 above what is reported”, “below”, or “as reported (within ...)”."""
    difference = measured - reported
    if abs(difference) <= same:
        return f"as reported (within {same:g})"
    return f"{abs(difference):.{places}f} {'above' if difference > 0 else 'below'} what is reported"


def direction(first, last, same=0.005):
    """How a curve goes from its first value to its last."""
    return "stays" if abs(last - first) <= same else "rises" if last > first else "falls"


def cut_work(table):
    """Sentence on work that was left out, or None. Rows share their work, so the greatest of one row is
    told, and no sum."""
    most = [(max([row.number(column) or 0 for row in table.rows]), thing, what) for column, thing, what in CUT]
    texts = [f"{counted(value, thing)} {what}" for value, thing, what in most if value > 0]
    return f"work was cut: in one row of the table up to {joined(texts)}." if texts else None


def left_out(runs, chosen, table):
    """Sentences on the runs that are not drawn, for want of a table."""
    missing = [run.name for run in runs if run not in chosen]
    if not missing:
        return []
    what = f"the tables {table} are" if " and " in table else f"the table {table} is"
    return [f"Left out for {joined(missing)}: {what} not there or not complete."]
