#!/usr/bin/env python3
"""golden_texts_test.py WRITE_FEATURES SAMPLE WORK [--write]: the pages of SAMPLE (a WARC with one gzip member a record)
have the text, the weights and the spot signatures that texts.tsv recorded, and with block_weights=rules those of
texts_by_rules.tsv, unless the number of the text layer has been raised
(kTextLayerVersion in src/page/feature_builder.cpp, docs/abi.md). Skipped (77) with other versions of the libraries
than those it was recorded with. --write records anew.
"""
import gzip
import hashlib
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ref"))
import features_reader  # noqa: E402  pylint: disable=wrong-import-position,wrong-import-order

RECORDED = {"learned": HERE / "texts.tsv", "rules": HERE / "texts_by_rules.tsv"}  # by block_weights
NUMBER = re.compile(r"kTextLayerVersion = (\d+);")


def sample_pages(path):
    """(URL, body) of each response."""
    for record in gzip.decompress(path.read_bytes()).split(b"WARC/1.1\r\n")[1:]:
        head, _, body = record.split(b"\r\n\r\n", 2)
        url = re.search(rb"^WARC-Target-URI: (\S+)", head, re.MULTILINE)
        if url:
            yield url[1].decode(), body


def row(features):
    """What depends on the text layer alone."""
    blocks = [block[:4] for block in features.blocks]  # headings and contexts are no part of the text
    rest = hashlib.sha256(repr((features.width, blocks, features.spots)).encode()).hexdigest()[:16]
    return f"{features.digest:032x} {rest}"


def computed(writer, sample, work, number, weights):
    pipelines, rows = set(), {}
    for url, body in sample_pages(sample):
        (work / "page").write_bytes(body)
        subprocess.run(
            [writer, url, work / "page", work / "features", "0", f"block_weights={weights}", "x_spot_signatures=1024"],
            check=True,
            capture_output=True,
        )
        features = features_reader.parse((work / "features").read_bytes())
        pipelines.add(f"{features.pipeline:016x}")
        rows[url] = row(features)
    assert len(rows) == 150 and len(pipelines) == 1, (len(rows), pipelines)
    return [f"text layer {number}, pipeline {pipelines.pop()}"] + [
        f"{url}\t{text}" for url, text in sorted(rows.items())
    ]


def main():
    writer, sample, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(exist_ok=True)
    number = NUMBER.search((HERE.parent.parent / "src/page/feature_builder.cpp").read_text())[1]
    for weights, path in RECORDED.items():
        lines = computed(writer, sample, work, number, weights)
        if sys.argv[4:] == ["--write"]:
            path.write_text("\n".join(lines) + "\n")
            continue
        recorded = path.read_text().splitlines()
        if lines[0] != recorded[0]:
            assert recorded[0].startswith(f"text layer {number},"), f"recorded for {recorded[0]}: run it with --write"
            print(f"other libraries: {lines[0]}, recorded {recorded[0]}")
            sys.exit(77)
        changed = [new for new, old in zip(lines, recorded) if new != old]
        assert not changed and len(lines) == len(
            recorded
        ), f"{weights}: {len(changed)} texts have changed; the number of the text layer has not: {changed[:3]}"
        print(f"{weights}: {len(lines) - 1} texts as they were")


if __name__ == "__main__":
    main()
