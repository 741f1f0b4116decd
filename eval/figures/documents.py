"""What the sections of the four documents have in common: a part for each table that is there."""
from sentences import joined, left_out


def fill(section, runs, folder, parts):
    """`parts`: (table, its columns, function(runs, folder) -> Part); of tables that a run lacks, one sentence tells."""
    absent = {}
    for name, columns, part in parts:
        chosen = [run for run in runs if run.table(name, columns)]
        missing = tuple(run for run in range(len(runs)) if runs[run] not in chosen)
        if missing and name not in absent.setdefault(missing, []):
            absent[missing].append(name)
        if chosen:
            section.parts.append(part(chosen, folder))
    section.absent = [sentence for missing, names in absent.items()
                      for sentence in left_out(runs, [run for number, run in enumerate(runs) if number not in missing], joined(names))]
    return section
