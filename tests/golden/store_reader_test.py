#!/usr/bin/env python3
"""store_reader_test.py WRITER WORK: the reader that follows docs/snapshot_format.md finds in stores what WRITER says
that it put there, and sees every damage; the example in the document is a store that WRITER makes."""
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys

import store_reader
from xxh3 import xxh3_64  # where store_reader has it from

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "snapshot_format.md"


def write(writer, path, count):
    shutil.rmtree(path, ignore_errors=True)
    printed = subprocess.run([writer, path, str(count)], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in printed.splitlines()]


def check_damage(path):
    """Any changed byte is seen, but in the last record, which is taken for torn."""
    chance = random.Random(3)
    newest = max(store_reader.numbered(path, "journal"))
    seen = 0
    for file in sorted(path.iterdir()):
        if file.name == "lock":
            continue
        data = file.read_bytes()
        end = len(data)
        if file.name == f"journal-{newest:020}":
            last = store_reader.Journal(data, newest).records[-1]
            end -= 32 + len(last) + store_reader.padding(len(last))
        for at in {chance.randrange(end) for _ in range(12)}:
            file.write_bytes(data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :])
            try:
                store_reader.read_store(path)
            except store_reader.FormatError:
                seen += 1
            else:
                sys.exit(f"damage of {file.name} at {at} was not seen")
        file.write_bytes(data)
    assert seen > 50, "too few files to have shown anything"


def check_manifest(path):
    """What a manifest may not say with a right checksum either."""
    number = max(store_reader.numbered(path, "manifest"))
    data = (path / f"manifest-{number:020}").read_bytes()
    runs = [match.start() for match in re.finditer(rb"run-\d{20}-latest", data)]
    table = data.index(struct.pack("<IIQ", 1, len(runs), 0))
    twice = data[: runs[1]] + data[runs[0] : runs[0] + 31] + data[runs[1] + 31 :]
    many = data[: table + 4] + struct.pack("<I", store_reader.RUNS_OF_A_TABLE + 1) + data[table + 8 :]
    for changed, sentence in ((twice, "a run is named twice"), (many, "a table of too many runs")):
        try:
            store_reader.Manifest(changed[:8] + struct.pack("<Q", xxh3_64(changed[16:])) + changed[16:], number)
        except store_reader.FormatError as error:
            assert str(error) == sentence, error
        else:
            sys.exit(f"not seen: {sentence}")


def check_example(path):
    """Each block of the document that begins with the name of a file shows that file's bytes."""
    shown = {}
    for name, dump in re.findall(r"^`([a-z0-9-]+)`[^\n]*\n\n((?:    [^\n]+\n)+)", DOCUMENT.read_text(), re.MULTILINE):
        rows = re.findall(r"^    ([0-9a-f]{4})  ((?:[0-9a-f]{2} ?)+)", dump, re.MULTILINE)
        shown[name] = b"".join(bytes.fromhex(row) for _, row in rows)
    present = {file.name: file.read_bytes() for file in path.iterdir() if file.name != "lock" and file.name in shown}
    assert len(shown) >= 3 and shown == present, "the example is not what the library writes"


def main():
    writer, work = sys.argv[1], pathlib.Path(sys.argv[2])
    for count in (5, 20, 260):
        expected = write(writer, work, count)
        found = list(store_reader.lines(work))
        assert found == expected, f"{count} texts: the reader finds something else"
        assert any("journal" in line for line in found) and any("table" in line for line in found)
        if count == 5:
            check_example(work)
            check_manifest(work)
        if count == 20:
            check_damage(work)
    print(f"{len(found)} lines agree")


if __name__ == "__main__":
    main()
