#!/usr/bin/env python3
"""text_peer.py METHOD THRESHOLD TEXTS ROWS: near-duplicates among plain texts, by one package; run by
texts_against_peers.

METHOD: ndc (THRESHOLD is not used: its defaults for tables), datasketch, rensa, gaoya, or datasketch-5-words. The first
three packages are used as their own documentation shows, over the words of a text; a text joins the group of the
earlier text that resembles it most, from THRESHOLD on, by the package's own estimate. The last stands for text-dedup, a
program over Hugging Face datasets that takes Spark and more with it: its steps and its defaults, over datasketch.
TEXTS: a JSON object a line, with id and text. Writes ID<TAB>GROUP a row. Prints
{"texts", "cpu_seconds", "seconds", "resident_mb", "peak_mb"}: from the first line read to the last row written, without
starting Python and loading the packages; memory is what the run added, in MB.
"""
import json
import os
import re
import resource
import sys
import time

BATCH = 1000
PERMUTATIONS = 128


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def records(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            yield record["id"], record["text"]


class FirstOrBest:
    """A text that resembles an earlier one joins the group of the one it resembles most; any other founds its own."""

    def __init__(self):
        self.group = {}

    def place(self, number, found):
        """`found`: (resemblance, number) of earlier texts."""
        best = max(found, key=lambda one: (one[0], -one[1]), default=None)
        self.group[number] = number if best is None else self.group[best[1]]
        return self.group[number]


def one_by_one(place):
    def rows(path):
        groups = FirstOrBest()
        for number, (name, text) in enumerate(records(path)):
            yield name, groups.place(number, place(number, text))

    return rows


def datasketch_rows(threshold):
    import datasketch

    index = datasketch.MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
    sketches = {}

    def place(number, text):
        sketch = datasketch.MinHash(num_perm=PERMUTATIONS)
        sketch.update_batch(list({word.encode() for word in text.split()}))
        found = [(sketch.jaccard(sketches[other]), other) for other in index.query(sketch)]
        index.insert(number, sketch, check_duplication=False)
        sketches[number] = sketch
        return [one for one in found if one[0] >= threshold]

    return one_by_one(place)


def five_word_rows(threshold):
    """What text-dedup does with its defaults: whatever shares a band is one group, whatever the estimate."""
    import datasketch

    permutations, of_words = 250, 5
    not_of_words = re.compile(r"\W")

    def rows(path):
        index = datasketch.MinHashLSH(threshold=threshold, num_perm=permutations)
        names, parent = [], []

        def founder(number):
            while parent[number] != number:
                parent[number] = parent[parent[number]]
                number = parent[number]
            return number

        for number, (name, text) in enumerate(records(path)):
            names.append(name)
            parent.append(number)
            words = not_of_words.split(text.lower())
            if len(words) < of_words:
                continue
            sketch = datasketch.MinHash(num_perm=permutations)
            sketch.update_batch(
                list({" ".join(words[at : at + of_words]).encode() for at in range(len(words) - of_words + 1)})
            )
            for other in index.query(sketch):
                joined = sorted((founder(number), founder(other)))
                parent[joined[1]] = joined[0]
            index.insert(number, sketch, check_duplication=False)
        for number, name in enumerate(names):
            yield name, founder(number)

    return rows


def rensa_rows(threshold):
    import rensa

    index = rensa.RMinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, num_bands=16 if threshold >= 0.7 else 32)
    sketches = {}

    def place(number, text):
        sketch = rensa.RMinHash(num_perm=PERMUTATIONS, seed=42)
        sketch.update(text.split())
        found = [(sketch.jaccard(sketches[other]), other) for other in index.query(sketch)]
        index.insert(number, sketch)
        sketches[number] = sketch
        return [one for one in found if one[0] >= threshold]

    return one_by_one(place)


def gaoya_rows(threshold):
    import gaoya

    index = gaoya.minhash.MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=threshold,
        num_bands=42,
        band_size=3,
        num_hashes=42 * 3,
        analyzer="word",
        lowercase=True,
        ngram_range=(1, 1),
    )

    def place(number, text):
        found = [(resemblance, other) for other, resemblance in index.query(text, return_similarity=True)]
        index.insert_document(number, text)
        return found

    return one_by_one(place)


def ndc_rows(_):
    import ndc_dedup as ndc
    import pyarrow as pa

    schema = pa.schema([("id", pa.string()), ("text", pa.string())])

    def batches(path):
        names, texts = [], []
        for name, text in records(path):
            names.append(name)
            texts.append(text)
            if len(names) == BATCH:
                yield pa.record_batch([names, texts], schema=schema)
                names, texts = [], []
        yield pa.record_batch([names, texts], schema=schema)

    def rows(path):
        for batch in ndc.dedup_table(pa.RecordBatchReader.from_batches(schema, batches(path))):
            yield from zip(batch["id"].to_pylist(), batch["ndc_group"].to_pylist())

    return rows


METHODS = {
    "ndc": ndc_rows,
    "datasketch": datasketch_rows,
    "rensa": rensa_rows,
    "gaoya": gaoya_rows,
    "datasketch-5-words": five_word_rows,
}


def main():
    method, threshold, texts, out = sys.argv[1:]
    rows = METHODS[method](float(threshold))
    before, begin, wall = resident_mb(), time.process_time(), time.perf_counter()
    count = 0
    with open(out, "w", encoding="utf-8") as file:
        for name, group in rows(texts):
            file.write(f"{name}\t{group}\n")
            count += 1
    print(
        json.dumps(
            {
                "texts": count,
                "cpu_seconds": time.process_time() - begin,
                "seconds": time.perf_counter() - wall,
                "resident_mb": resident_mb() - before,
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before,
            }
        )
    )


if __name__ == "__main__":
    main()
