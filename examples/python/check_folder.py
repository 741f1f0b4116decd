#!/usr/bin/env python3
"""check_folder STORE FOLDER [PAGE PAGE]: checks each file of a folder against a store of pages, which it makes if there
is none, says what each is, and then why two of them are, or are not, near-duplicates."""
import pathlib
import sys

import ndc_dedup as ndc


def check(pages: ndc.NearDuplicates, folder: pathlib.Path) -> None:
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        result = pages.check(path.name, path.read_bytes())
        verdict = result.verdict.replace("-", " ")
        known = pages.page(result.matched_page_id) if result.verdict in ("exact", "near") else None
        if known:
            verdict += f", like {known.url}"
        print(f"{path.name}: {verdict}")


def explain(pages: ndc.NearDuplicates, first: str, second: str) -> None:
    why = pages.explain(first, second)
    print(f"{first} and {second}: resemblance {why.resemblance:.2f}, decided by {why.rule}")


def main() -> None:
    if len(sys.argv) not in (3, 5):
        sys.exit("usage: check_folder.py STORE FOLDER [PAGE PAGE]")
    try:
        with ndc.NearDuplicates(sys.argv[1]) as pages:
            check(pages, pathlib.Path(sys.argv[2]))
            if len(sys.argv) == 5:
                explain(pages, *sys.argv[3:])
    except (ndc.NdcError, OSError) as failure:
        sys.exit(f"check_folder: {failure}")


if __name__ == "__main__":
    main()
