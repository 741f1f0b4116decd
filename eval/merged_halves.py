#!/usr/bin/env python3
"""Whether a merge of stores answers as one run: the pages of a corpus are halved by a hash of their URL, each half
fills a store, and both are merged, in both directions; beside each F1 stands that of a run over the one half and then
the other, and of the corpus in its own order.

usage: merged_halves.py PATH_OF_NDC CORPUS [--ways N]

CORPUS holds pages.warc.gz, and labels.tsv or pairs.tsv, of which the kind same-path counts. CPU is in seconds.
"""
import argparse
import hashlib
import json
import os
import pathlib
import resource
import subprocess
import tempfile

import moved_pages
import quality


def write_halves(archive, out, way):
    """The paths of two archives."""
    paths = [out / f"{way}-{half}.warc" for half in range(2)]
    with open(paths[0], "wb") as first, open(paths[1], "wb") as second:
        for url, head, body in moved_pages.responses(archive):
            half = hashlib.sha1(f"{way} {url}".encode()).digest()[0] % 2
            (first, second)[half].write(moved_pages.record(url, head, body))
    return paths


def run(ndc, *arguments):
    """CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([ndc, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def f1_of(ndc, store, corpus):
    dump = subprocess.run([ndc, "dump", store], check=True, capture_output=True).stdout.decode().splitlines()
    pages = [json.loads(line) for line in dump]
    rows = [quality.PageRow(page["url"], str(page["group_id"]), 0, 0, frozenset()) for page in pages]
    trace = quality.Trace(rows, {})
    if (corpus / "labels.tsv").is_file():
        return quality.score_labels(quality.read_table(corpus / "labels.tsv"), trace).all_pairs.f1
    score = quality.score_pairs(quality.read_table(corpus / "pairs.tsv"), trace, kinds={"same-path"})
    return quality.harmonic_mean(score.precision, score.recall)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ndc", type=os.path.abspath)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--ways", type=int, default=3)
    chosen = parser.parse_args()
    ndc, corpus = chosen.ndc, chosen.corpus
    print("#way\tdirection\tmerged\tone_run\tdifference\tmerge_cpu\trun_cpu")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        run(ndc, "dedup", corpus / "pages.warc.gz", "--store", out / "whole")
        print(f"-\tas it is\t-\t{f1_of(ndc, out / 'whole', corpus):.4f}\t-\t-\t-", flush=True)
        for way in range(1, chosen.ways + 1):
            halves = write_halves(corpus / "pages.warc.gz", out, way)
            stores = [out / f"{way}.{half}" for half in range(2)]
            for archive, store in zip(halves, stores):
                run(ndc, "dedup", archive, "--store", store)
            for direction in (1, -1):
                name = f"{way}.{direction}"
                run_cpu = run(ndc, "dedup", *halves[::direction], "--store", out / f"{name}.run")
                merge_cpu = run(ndc, "merge-stores", *stores[::direction], "-o", out / f"{name}.merged")
                merged, one = (f1_of(ndc, out / f"{name}.{kind}", corpus) for kind in ("merged", "run"))
                print(
                    f"{way}\t{'second into first' if direction == 1 else 'first into second'}\t{merged:.4f}\t{one:.4f}"
                    f"\t{merged - one:+.4f}\t{merge_cpu:.2f}\t{run_cpu:.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
