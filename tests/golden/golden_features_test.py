#!/usr/bin/env python3
"""golden_features_test.py WRITE_FEATURES WORK: a page has the keys, block hashes, spot signatures, digest and symbols
that stand in the stores that are kept (scripts/record-release), in the first page of each of their two sites, which has
no frame yet. These pages are too short for fingerprints of the LCS partition; tests/ref/features_reader.py makes those
anew, as the document says.
"""
import pathlib
import subprocess
import sys

import golden_store_test
import store_reader

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "ref"))
import features_reader  # noqa: E402  pylint: disable=wrong-import-position,wrong-import-order

URLS = ("https://a.example/0", "https://b.example/0")


def recorded(store):
    """{URL: features} of the first record of each URL in a store's first journal."""
    path = min(store_reader.numbered(store, "journal").items())[1]
    found = {}
    for record in store_reader.Journal(path.read_bytes(), 0).records:
        at = record.find(b"NDF1")
        if at >= 0:
            features = features_reader.parse(record[at:])
            found.setdefault(features.url.decode(), features)
    return found


def computed(program, url, work):
    """What today's library makes of the page, and the numbers that its callers get."""
    (work / "page").write_bytes(golden_store_test.page_body(0, 12))
    printed = subprocess.run(
        # As an engine makes them, not features for elsewhere.
        [program, url, work / "page", work / "features", "0", "x_fingerprint_buckets=1"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return features_reader.parse((work / "features").read_bytes()), printed.split()[1::2]


def main():
    program, work = sys.argv[1], pathlib.Path(sys.argv[2])
    work.mkdir(exist_ok=True)
    compared = 0
    for folder in sorted(path for path in golden_store_test.STORES.iterdir() if path.is_dir()):
        old = recorded(folder / "store")
        for url in URLS:
            new, numbers = computed(program, url, work)
            for name in (
                "parameters",
                "digest",
                "width",
                "blocks",
                "fingerprints",
                "shingles",
                "spot_parameters",
                "spots",
                "symbols",
                "site",
            ):
                assert getattr(old[url], name) == getattr(new, name), f"{folder.name}: {url}: {name} differ"
            assert numbers == [f"{number:016x}" for number in new.keys + features_reader.parts_of(new)], url
            assert new.blocks and new.shingles and new.spots and new.symbols, f"{url}: nothing to compare"
            compared += 1
    assert compared, "nothing to compare"
    print(f"{compared} pages as they were")


if __name__ == "__main__":
    main()
