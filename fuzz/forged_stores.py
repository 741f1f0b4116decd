#!/usr/bin/env python3
"""forged_stores.py: writes the inputs of store_open that forge a store with right checksums,
corpora/store_open/regression-*.

Each says, in some kilobytes, what a store of many times its size would have to say, and was believed before the commit
that its function names. Chance does not find them: they need a run, a manifest or a journal that is whole. The target
makes their checksums and sizes right.
"""
import pathlib
import struct
import sys

FUZZ = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FUZZ.parent / "tests" / "golden"))
from packed_records import ANSWER, page_of  # noqa: E402
from store_reader import ERASED, FORMAT, OUT_OF_LINE, Manifest, padding, read_run  # noqa: E402

SMALL, CROWDED = 0, 0x80  # a bit of the first byte: which store
REPAIR_ALL = 3
LAZY = 0
STORES = {SMALL: FUZZ / "stores/small", CROWDED: FUZZ / "stores/crowded"}
INPUT_LIMIT = 64 << 10


class Forgery:
    """A store of git and the edits (store_files.cpp) that make another one of it."""

    def __init__(self, store):
        self.store, self.edits = store, []
        self.files = {path.name: path.read_bytes() for path in STORES[store].iterdir()}

    def replace(self, name, content):
        assert len(content) < 1 << 16
        self.edits.append(bytes((13, self.place_of(name), 1)) + struct.pack("<H", len(content)) + content)
        self.files[name] = content

    def remove(self, name):
        self.edits.append(bytes((14, self.place_of(name))))
        del self.files[name]

    def place_of(self, name):
        return sorted(self.files).index(name)

    def manifest(self, number):
        return Manifest(self.files[f"manifest-{number:020}"], number)

    def entries(self, name, number):
        """Of a run that manifest `number` names."""
        numbers = {run: numbers for _, runs in self.manifest(number).tables.values() for run, numbers in runs}[name]
        return list(read_run(self.files[name], numbers))

    def input(self):
        made = bytes((self.store | REPAIR_ALL, LAZY, LAZY)) + b"".join(self.edits)
        assert len(made) <= INPUT_LIMIT
        return made


def padded(data, multiple=8):
    return data + bytes(-len(data) % multiple)


def run_of(entries):
    """A run without a filter, but for its checksums. A value that is the same object as the one before it stands there
    once."""
    values, places, last = b"NDRUN1\0\0" + struct.pack("<II", FORMAT, 0x01020304), [], None  # (data, its size, kind)
    for _, value in entries:
        if value is None:
            places.append((0, 0, ERASED))
        elif len(value) < 8:
            places.append((int.from_bytes(value, "little"), len(value), len(value)))
        elif value is last:
            places.append(places[-1])
        else:
            place = len(values) // 8
            places.append((place, -(-place.bit_length() // 8), OUT_OF_LINE))
            values += padded(struct.pack("<II", len(value), 0) + value)
        last = value
    keys = [key for key, _ in entries]
    shift = 0
    while keys[-1] - keys[0] >> shift >= len(keys) // 4 + 2:
        shift += 1
    buckets = (keys[-1] - keys[0] >> shift) + 1
    positions = [sum(key - keys[0] >> shift < bucket for key in keys) for bucket in range(buckets + 1)]
    key_bytes, data_bytes = max(1, -(-shift // 8)), max(size for _, size, _ in places)
    entries_at = len(values)
    content = values
    for key, (data, _, kind) in zip(keys, places):
        rest = key - keys[0] & (1 << shift) - 1
        content += rest.to_bytes(key_bytes, "little") + data.to_bytes(data_bytes, "little") + bytes((kind,))
    content = padded(content)
    directory_at = len(content)
    content += padded(struct.pack(f"<{len(positions)}I", *positions))
    checksums_at = len(content)
    content += bytes(8 * -(-checksums_at // 16384))
    erased = sum(value is None for _, value in entries)
    places_of_sections = entries_at, directory_at, checksums_at
    numbers = len(content) + 128, len(keys), erased, keys[0], keys[-1], *places_of_sections, buckets
    trailer = struct.pack("<9Q6I2Q", *numbers, shift, 4, key_bytes, data_bytes, 0, 0, 0, 0)
    return content + values[:16] + trailer


def manifest_of(manifest):
    """Without its checksums."""
    content = manifest.data[:72]
    for option in manifest.options:
        content += padded(struct.pack("<I", len(option)) + option.encode())
    for table, (least, runs) in manifest.tables.items():
        content += struct.pack("<IIQ", table, len(runs), least)
        for name, numbers in runs:
            content += struct.pack("<6QI", *numbers, len(name)) + name.encode()
            content += bytes(padding(len(content)))
    return content + padded(manifest.state)


def record_of(generation, place, change):
    """Of a journal, but for its checksum."""
    return padded(struct.pack("<4Q", 0, generation, place, len(change)) + change)


def repeated_parts():
    """ade9dc7: a group names one part 200 times."""
    forged = Forgery(CROWDED)
    name = f"run-{3:020}-groups"
    entries = forged.entries(name, 3)
    for at, (group, value) in enumerate(entries):
        first, parts = struct.unpack_from("<2I", value, 32) if value else (0, 0)
        if parts < 2:
            continue
        lists = 48 + 8 * first
        many = value[lists : lists + 8] * 200
        entries[at] = group, value[:36] + struct.pack("<I", 200) + value[40:lists] + many + value[lists + 8 * parts :]
    forged.replace(name, run_of(entries))
    return forged.input()


def overlapping_values():
    """bc80cf9: 1,000 keys with one list of groups."""
    forged = Forgery(SMALL)
    name = f"run-{1:020}-keys"
    groups = struct.pack("<512Q", *range(1, 513))
    known = forged.entries(name, 1)
    keys = [(known[-1][0] + 1 + number, groups) for number in range(1000)]
    forged.replace(name, run_of(known + keys))
    return forged.input()


def repeated_run():
    """13b237a: a manifest names one run 200 times."""
    forged = Forgery(SMALL)
    manifest = forged.manifest(1)
    least, runs = manifest.tables[1]
    manifest.tables[1] = least, runs * 200
    forged.replace(f"manifest-{1:020}", manifest_of(manifest))
    return forged.input()


def repeated_election():
    """3a32d52: a group elects a member of it 900 times, and has lost none."""
    forged = Forgery(SMALL)
    forged.remove(f"manifest-{0:020}")
    forged.remove(f"journal-{0:020}")
    name = f"journal-{1:020}"
    group, page = next((group, page) for page, group in members(forged) if page != group)
    content = forged.files[name][:64]
    for _ in range(900):
        content += record_of(1, len(content), struct.pack("<IIQQq", 4, 0, group, page, 1000))
    forged.replace(name, content)
    return forged.input()


def members(forged):
    """(page id, group id) of the small store's pages."""
    for page, value in forged.entries(f"run-{1:020}-pages", 1):
        yield page, ANSWER.unpack(page_of(value)[0])[3]


def main():
    for made in (repeated_parts, overlapping_values, repeated_run, repeated_election):
        name = made.__name__.replace("_", "-")
        (FUZZ / "corpora" / "store_open" / f"regression-{name}").write_bytes(made())


if __name__ == "__main__":
    main()
