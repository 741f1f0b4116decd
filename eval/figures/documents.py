"""What the sections of the four documents have in common: a part for each table that is there."""
from sentences import by_run, cut_work, joined, left_out


def fill(section, runs, folder, parts):
    """`parts`: (table, its columns, function(runs, folder) -> Part); of tables that a run lacks, one sentence tells."""
    absent = {}
    for name, columns, part in parts:
        chosen = [run for run in runs if run.table(name, columns)]
        missing = tuple(run for run in range(len(runs)) if runs[run] not in chosen)
        if missing and name not in absent.setdefault(missing, []):
            absent[missing].append(name)
        if chosen:
            made = part(chosen, folder)
            tell_cuts(made, by_run(chosen, lambda run: cut_work(run.table(name, columns))))
            section.parts.append(made)
    section.absent = [
        sentence
        for missing, names in absent.items()
        for sentence in left_out(runs, [run for number, run in enumerate(runs) if number not in missing], joined(names))
    ]
    return section


def tell_cuts(part, sentences):
    """Under the figure, or with what is measured where there is none."""
    if part.picture:
        part.note = " ".join(filter(None, [part.note] + sentences))
    else:
        part.measured += sentences
