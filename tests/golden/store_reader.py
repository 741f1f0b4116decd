#!/usr/bin/env python3
"""store_reader.py DIRECTORY: a reader of stores after docs/snapshot_format.md alone. Verifies every file and prints the
newest generation as JSON lines: what the manifest says, the live entries of each table, the records of the journals."""
import json
import pathlib
import re
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "ref"))
from xxh3 import xxh3_64  # noqa: E402

MASK = (1 << 64) - 1
FORMAT = 1
BLOCK = 16384
ERASED, OUT_OF_LINE = 0xFE, 0xFF
RUNS_OF_A_TABLE = 65536
RUN_NAME = re.compile(r"run-(\d{20})-[a-z]+(-\d{1,10})?")


class FormatError(Exception):
    pass


def check(condition, sentence):
    if not condition:
        raise FormatError(sentence)


def unpack(layout, data, at=0):
    check(at + struct.calcsize(layout) <= len(data), "the file ends early")
    return struct.unpack_from(layout, data, at)


def padding(size):
    return -size % 8


def check_preamble(data, magic):
    found, checksum, version, order = unpack("<8sQII", data)
    check(found == magic, "a wrong magic")
    check(checksum == xxh3_64(data[16:]), "a wrong checksum")
    check((version, order) == (FORMAT, 0x01020304), "another version or byte order")


class Manifest:
    def __init__(self, data, number):
        check_preamble(data, b"NDCSTORE")
        size, self.generation, self.secret, self.pipeline, state_size, option_count, table_count = unpack(
            "<5QII", data, 24
        )
        check(size == len(data) and self.generation == number, "another size or generation")
        self.data, self.at = data, 72
        self.options = [self.text().decode() for _ in range(option_count)]
        self.tables = {}
        for _ in range(table_count):
            table, run_count, least_key = self.take("<IIQ")
            check(1 <= table <= 32 and table > max(self.tables, default=0), "tables are out of order")
            check(run_count <= RUNS_OF_A_TABLE, "a table of too many runs")
            self.tables[table] = (least_key, [self.run() for _ in range(run_count)])
        names = [name for _, runs in self.tables.values() for name, _ in runs]
        check(len(names) == len(set(names)), "a run is named twice")
        self.state = self.bytes(state_size)
        check(self.at == len(data), "bytes that belong to nothing")

    def take(self, layout):
        values = unpack(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return values

    def bytes(self, size):
        end = self.at + size
        check(end + padding(end) <= len(self.data), "the file ends early")
        value = self.data[self.at : end]
        self.at = end + padding(end)
        return value

    def text(self):
        return self.bytes(self.take("<I")[0])

    def run(self):
        numbers = self.take("<6Q")
        name = self.text().decode()
        match = RUN_NAME.fullmatch(name)
        check(match and int(match[1]) <= self.generation, "a wrong name of a run")
        return name, numbers


def filter_parts(keys, bucket_of, buckets):
    parts = [0] * -(-buckets // 8)
    for key, bucket in zip(keys, bucket_of):
        bits = (key * 0x9E3779B97F4A7C15 & MASK) >> 10
        for i in range(6):
            parts[bucket // 8] |= 1 << (bits >> 9 * i & 511)
    return b"".join(part.to_bytes(64, "little") for part in parts)


def read_run(data, description):
    """Yields (key, value or None) of each entry."""
    check(len(data) >= 128, "the file is too short")
    trailer = data[-128:]
    (
        magic,
        version,
        order,
        file_bytes,
        count,
        erased,
        least,
        greatest,
        entries_at,
        directory_at,
        checksums_at,
        buckets,
        shift,
        width,
        key_bytes,
        data_bytes,
        has_filter,
        reserved,
        table_checksum,
        checksum,
    ) = unpack("<8sII9Q6IQQ", trailer)
    check((magic, order) == (b"NDRUN1\0\0", 0x01020304) and data[:16] == trailer[:16], "a wrong head")
    check(version == FORMAT, "another version of a run")
    check(checksum == xxh3_64(trailer[:-8]), "a wrong checksum of the trailer")
    check(
        (file_bytes, count, erased, least, greatest, checksum) == description and file_bytes == len(data), "another run"
    )
    check(reserved == 0 and count > 0, "a wrong trailer")
    check(key_bytes == max(1, -(-shift // 8)) and data_bytes <= 7 and has_filter <= 1, "a wrong layout")
    table = data[checksums_at:-128]
    blocks = [data[at : min(at + BLOCK, checksums_at)] for at in range(0, checksums_at, BLOCK)]
    check(len(table) == 8 * len(blocks) and xxh3_64(table) == table_checksum, "a wrong table of checksums")
    check(
        [xxh3_64(block) for block in blocks] == list(struct.unpack(f"<{len(blocks)}Q", table)),
        "a wrong checksum of a block",
    )

    entry_bytes = key_bytes + data_bytes + 1
    entries_end = entries_at + entry_bytes * count
    check(entries_at % 8 == 0, "entries at a wrong offset")
    check(data[entries_end:directory_at] == bytes(-entries_end % 8), "sections do not follow each other")
    check(width == (4 if count < 1 << 32 else 8), "a wrong width")
    positions = unpack(f"<{buckets + 1}{'I' if width == 4 else 'Q'}", data, directory_at)
    entries = [data[at : at + entry_bytes] for at in range(entries_at, entries_end, entry_bytes)]
    keys = [int.from_bytes(entry[:key_bytes], "little") for entry in entries]
    check(max(keys) < 1 << shift and list(positions) == sorted(positions), "a key of no bucket")
    check((positions[0], positions[-1]) == (0, count), "a wrong position")
    for bucket, begin in enumerate(positions[:-1]):
        for at in range(begin, positions[bucket + 1]):
            keys[at] += least + (bucket << shift)
    check(keys == sorted(set(keys)) and (keys[0], keys[-1]) == (least, greatest), "keys are out of order")
    check(buckets - 1 == (greatest - least) >> shift and buckets <= count // 4 + 2, "a wrong directory")
    bucket_of = [(key - least) >> shift for key in keys]
    check(
        all(position == sum(other < bucket for other in bucket_of) for bucket, position in enumerate(positions)),
        "a wrong position",
    )
    directory_end = directory_at + width * (buckets + 1)
    parts = filter_parts(keys, bucket_of, buckets) if has_filter else b""
    filler = bytes(-directory_end % (64 if has_filter else 8))
    check(data[directory_end:checksums_at] == filler + parts, "a wrong filter, or sections do not follow each other")

    end, found_erased = 16, 0
    for key, entry in zip(keys, entries):
        value, kind = entry[key_bytes:-1], entry[-1]
        if kind == ERASED:
            check(not any(value), "an erased key with a value")
            found_erased += 1
            yield key, None
        elif kind == OUT_OF_LINE:
            offset = int.from_bytes(value, "little") * 8
            check(offset == end, "values are out of order")
            size, zero = unpack("<II", data, offset)
            check(size > 7 and zero == 0 and offset + 8 + size <= entries_at, "a wrong value")
            end = offset + 8 + size + padding(size)
            yield key, data[offset + 8 : offset + 8 + size]
        else:
            check(kind <= data_bytes and not any(value[kind:]), "a wrong value in an entry")
            yield key, value[:kind]
    check(found_erased == erased and end == entries_at, "a wrong count or a gap")


class Journal:
    def __init__(self, data, number):
        check_preamble(data[:64], b"NDCJOURN")
        check(len(data) >= 64, "the file ends early")
        generation, self.secret, self.previous_bytes, self.flags = unpack("<QQQI", data, 24)
        check(generation == number and self.flags <= 3, "another generation, or unknown flags")
        self.records, self.end = [], 64
        while self.end < len(data):
            record = self.record(data, generation, self.end)
            if record is None:
                break
            self.records.append(record)
            self.end += 32 + len(record) + padding(len(record))
        self.has_tail = self.end < len(data)
        first = None  # whole record behind it
        for at in range(self.end + 8, len(data), 8):
            if self.record(data, generation, at) is not None:
                check(unpack("<Q", data, at + 16)[0] <= self.end, "a damaged record before a whole one")
                first = first or at
        if first and not self.flags & 2:
            sectors = range(self.end + -self.end % 512, first - 511, 512)
            check(
                any(not any(data[at : at + 512]) for at in sectors), "a damaged record, and no hole, before a whole one"
            )
        if self.has_tail:
            check(first is None and self.is_unfinished(data, generation), "a tail that is no unfinished record")

    def is_unfinished(self, data, generation):
        at, left = self.end, len(data) - self.end
        head = data[at : at + 32]
        expected = struct.pack("<Q", generation)
        if head[8:16] != expected[: len(head[8:16])] or any(head[28:]):
            return False
        if left >= 24 and unpack("<Q", data, at + 16)[0] > at:
            return False
        if left < 28:
            return True
        size = unpack("<I", data, at + 24)[0]
        if not 1 <= size <= 1 << 30 or 32 + size + padding(size) <= left:
            return False
        sizes = range(max(1, left - 39), left - 31) if left % 8 == 0 else ()
        whole = (data[at + 8 : at + 24] + struct.pack("<I", other) + data[at + 28 :] for other in sizes)
        checksum = unpack("<Q", data, at)[0]
        return all(xxh3_64(record, self.secret + at & MASK) != checksum for record in whole)

    def record(self, data, generation, at):
        if at + 32 > len(data):
            return None
        checksum, found, settled, size, zero = unpack("<QQQII", data, at)
        end = at + 32 + size + padding(size)
        if found != generation or zero or settled > at or not 1 <= size <= 1 << 30 or end > len(data):
            return None
        if checksum != xxh3_64(data[at + 8 : end], self.secret + at & MASK):
            return None
        return data[at + 32 : at + 32 + size]


def numbered(directory, kind):
    """Ascending by number."""
    pattern = re.compile(kind + r"-(\d{20})")
    names = [path.name for path in directory.iterdir()]
    return {int(match[1]): directory / match[0] for match in map(pattern.fullmatch, sorted(names)) if match}


def merged(tables):
    """Of each table the live entries: what a newer run has of a key hides what is older."""
    for number, (_, runs) in tables.items():
        live = {}
        for entries in runs:
            live.update(entries)
        yield number, sorted((key, value) for key, value in live.items() if value is not None)


def read_store(directory):
    """The newest manifest, its tables as (least key, entries of each run), and the journals from it on by number."""
    directory = pathlib.Path(directory)
    manifests = {
        number: Manifest(path.read_bytes(), number) for number, path in numbered(directory, "manifest").items()
    }
    check(manifests, "there is no manifest")
    for manifest in manifests.values():
        tables = {
            table: (least, [list(read_run((directory / name).read_bytes(), numbers)) for name, numbers in runs])
            for table, (least, runs) in manifest.tables.items()
        }
    journals = {number: Journal(path.read_bytes(), number) for number, path in numbered(directory, "journal").items()}
    numbers = sorted(journals)
    check(
        set(manifests) <= set(numbers) and numbers == list(range(numbers[0], numbers[-1] + 1)), "a journal is missing"
    )
    for number in numbers:
        check(journals[number].secret == manifest.secret, "a journal of another store")
        if number + 1 in journals:
            check(
                not journals[number].has_tail and journals[number].end == journals[number + 1].previous_bytes,
                "a journal lost its end",
            )
    return manifest, tables, {number: journals[number] for number in numbers if number >= manifest.generation}


def lines(directory):
    manifest, tables, journals = read_store(directory)
    yield {
        "generation": manifest.generation,
        "secret": manifest.secret,
        "pipeline": manifest.pipeline,
        "options": manifest.options,
        "state": manifest.state.hex(),
    }
    for number, entries in merged(tables):
        for key, value in entries:
            yield {"table": number, "key": key, "value": value.hex()}
    for number, journal in journals.items():
        for record in journal.records:
            yield {"journal": number, "record": record.hex()}


if __name__ == "__main__":
    for line in lines(sys.argv[1]):
        print(json.dumps(line))
