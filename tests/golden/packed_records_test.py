#!/usr/bin/env python3
"""packed_records_test.py NDC WARC WORK: the pages and texts of a store, unpacked by a reader that follows
docs/snapshot_format.md, are those that its first journal has as they are."""
import pathlib
import shutil
import struct
import subprocess
import sys

import packed_records
import store_reader

PAGES, TEXTS = 1, 5
DECIDED, TEXT_KEPT = 1, 1  # a kind of journal records, and one of its bits
HEAD = 8
DIGEST, URL_SIZE = 48, 104  # offsets in a features record


def store_of(ndc, warc, path, *options):
    """(the manifest, the pages, the texts) of a store that `ndc dedup` makes of the archive."""
    shutil.rmtree(path, ignore_errors=True)
    arguments = [part for option in options for part in ("--option", option)]
    subprocess.run([ndc, "dedup", "--store", path, *arguments, warc], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([ndc, "verify", path], check=True, stdout=subprocess.DEVNULL)
    manifest, tables, _ = store_reader.read_store(path)
    live = dict(store_reader.merged(tables))
    return manifest, live[PAGES], live[TEXTS]


def same_but_for_ids(found, answer):
    """The journal is written before the page and its group have ids."""
    verdict, flags, _, _, *rest = packed_records.ANSWER.unpack(found)
    told = packed_records.ANSWER.unpack(answer)
    return (verdict, flags, *rest) == (*told[:2], *told[4:])


def decided(path):
    """(whether its text was kept, the answer, the features record) of each page that the first journal has."""
    for record in store_reader.Journal((path / f"journal-{0:020}").read_bytes(), 0).records:
        kind, bits = struct.unpack_from("<II", record)
        if kind == DECIDED:
            answer_end = HEAD + packed_records.ANSWER.size
            yield bits & TEXT_KEPT, record[HEAD:answer_end], record[answer_end + 2 * 8 :]


def main():
    ndc, warc, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    for option in ("decision=document", "keep_text=true", "detector=shingles"):
        path = work / "store"
        manifest, pages, texts = store_of(ndc, warc, path, option)
        common = packed_records.Texts(packed_records.state_of_texts(manifest.state))
        assert len(pages) > 20 and len(texts) > 20 and len(common.symbols) > 100, (
            option,
            len(pages),
            len(texts),
            len(common.symbols),
        )
        told = list(decided(path))
        # Text numbers are given in the order of the journal.
        kept = [features for is_kept, _, features in told if is_kept]
        for number, value in texts:
            assert common.text_of(value) == kept[number - 1], (option, number)
            packed_records.check_text(kept[number - 1])
        # So are page ids; nothing is fetched twice.
        assert len(told) == len(pages), (option, len(told), len(pages))
        for (number, value), (_, answer, features) in zip(pages, told):
            found, text, digest, url = packed_records.page_of(value)
            assert packed_records.ANSWER.unpack(found)[2] == number, (option, number)
            assert same_but_for_ids(found, answer), (option, number)
            assert digest == features[DIGEST : DIGEST + 16], (option, number)
            assert url in features and (len(url),) == struct.unpack_from("<I", features, URL_SIZE), (option, number)
            assert text == 0 or kept[text - 1] == features, (option, number)
        sizes = [sum(map(len, values)) for values in ([value for _, value in texts], [kept[n - 1] for n, _ in texts])]
        assert sizes[0] < 0.9 * sizes[1], (option, sizes)
    print(f"{len(pages)} pages, {len(texts)} texts, {len(common.symbols)} codes")


if __name__ == "__main__":
    main()
