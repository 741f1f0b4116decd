#!/usr/bin/env python3
"""packed_records_test.py NDC WARC WORK: the pages and texts of a store with run_version=2, unpacked by a reader that
follows docs/snapshot_format.md, are those of a store with run_version=1, byte by byte."""
import pathlib
import shutil
import subprocess
import sys

import packed_records
import store_reader

PAGES, TEXTS = 1, 5


def store_of(ndc, warc, path, *options):
    """(the state, the pages, the texts) of a store that `ndc dedup` makes of the archive."""
    shutil.rmtree(path, ignore_errors=True)
    arguments = [part for option in options for part in ("--option", option)]
    subprocess.run([ndc, "dedup", "--store", path, *arguments, warc], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([ndc, "verify", path], check=True, stdout=subprocess.DEVNULL)
    manifest, tables, _ = store_reader.read_store(path)
    live = dict(store_reader.merged(tables))
    return manifest, live[PAGES], live[TEXTS]


def main():
    ndc, warc, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    for option in ("merging=false", "merging=true", "keep_text=true", "detector=shingles"):
        _, pages, texts = store_of(ndc, warc, work / "plain", option, "run_version=1")
        manifest, packed_pages, packed_texts = store_of(ndc, warc, work / "packed", option, "run_version=2")
        common = packed_records.Texts(packed_records.state_of_texts(manifest.state, "merging=true" in manifest.options))
        assert len(pages) > 20 and len(texts) > 20 and len(common.symbols) > 100, (
            option,
            len(pages),
            len(texts),
            len(common.symbols),
        )
        assert [(key, packed_records.page_of(value)) for key, value in packed_pages] == pages
        assert [(key, common.text_of(value)) for key, value in packed_texts] == texts
        for _, record in texts:
            packed_records.check_text(record)
        sizes = [sum(len(value) for _, value in table) for table in (packed_texts, texts, packed_pages, pages)]
        assert sizes[0] < 0.9 * sizes[1] and sizes[2] < 0.8 * sizes[3], (option, sizes)
    print(f"{len(pages)} pages, {len(texts)} texts, {len(common.symbols)} codes")


if __name__ == "__main__":
    main()
