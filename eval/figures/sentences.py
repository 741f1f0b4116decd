"""Numbers and sentences: how they are written, and sentences that are true for the data at hand."""

NAMES = {"lcs": "LCS partition", "spotsigs": "SpotSigs", "i-match-s": "I-Match-S", "lsh-s": "LSH-S", "moz-vector": "Moz vector",
         "simhash64": "simhash 64", "simhash128": "simhash 128", "mwo": "MWO", "shingles": "shingles", "minhash": "min-hash",
         "cosine": "cosine", "i-match": "I-Match", "exact": "exact", "shingles-1": "1-shingles", "shingles-3": "3-shingles"}


def name_of(detector):
    return NAMES.get(detector, detector)


def share(value, places=3):
    """A share of 1, or – where there is none."""
    return "–" if value is None else f"{value:.{places}f}"


def known(value, text):
    """The text if there is a value: for the clauses of a sentence."""
    return "" if value is None else text


def count(value):
    return "–" if value is None else f"{value:,.0f}"


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
    return f"{'+' if value >= 0 else '−'}{abs(value):.{places}f}"


def joined(names):
    names = list(names)
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def by_run(runs, sentence):
    """The sentence of each run, beginning with its name if there are several; equal ones are said once. `sentence(run)` may be None."""
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


def left_out(runs, chosen, table):
    """Sentences on the runs that are not drawn, for want of a table."""
    missing = [run.name for run in runs if run not in chosen]
    if not missing:
        return []
    what = f"the tables {table} are" if " and " in table else f"the table {table} is"
    return [f"Left out for {joined(missing)}: {what} not there or not complete."]
