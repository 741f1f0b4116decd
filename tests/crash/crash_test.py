#!/usr/bin/env python3
"""Kills a writer of a store again and again and looks at what is left each time.

usage: crash_test.py CRASH_WRITER DURABILITY [--rounds N] [--threads N] [--seed N]

Each round starts the writer where the store stands and kills it (SIGKILL) after a random time or after a random number
of acknowledged lines. The writer itself checks the store before it goes on (recovery_check.hpp). At the end pages,
groups and events must be those of a run that was never killed.
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

LINE_BYTES = 71
WRONG = 3
STREAM = 7
# So small that the store takes snapshots by itself occasionally.
JOURNAL_BYTES = 65536
# Done in peace after the last kill.
LAST_OPERATIONS = 40


def acknowledged_bytes(path, threads):
    total = 0
    for thread in range(threads):
        try:
            total += os.path.getsize("%s.%d" % (path, thread))
        except FileNotFoundError:
            pass
    return total


def position(path, thread):
    """How many operations were acknowledged at the end of the file; a line that a kill cut in two is none."""
    with open("%s.%d" % (path, thread), "rb") as file:
        lines = [line for line in file.read().split(b"\n") if len(line) + 1 == LINE_BYTES]
    return max(int(line.split()[1]) + 1 for line in lines if line.startswith(b"o"))


class Writer:
    def __init__(self, program, folder, durability, threads):
        self.store = os.path.join(folder, "store")
        self.acknowledged = os.path.join(folder, "acknowledged")
        self.program = program
        self.threads = threads
        self.settings = [
            "durability=" + durability,
            "threads=%d" % threads,
            "stream=%d" % STREAM,
            "journal_bytes=%d" % JOURNAL_BYTES,
        ]
        os.makedirs(folder)

    def start(self, *settings):
        return subprocess.Popen(
            [self.program, "run", self.store, self.acknowledged, *self.settings, *settings], stderr=subprocess.PIPE
        )

    def finish(self, operations):
        writer = self.start("operations=%d" % operations)
        _, err = writer.communicate(timeout=600)
        if writer.returncode != 0:
            sys.exit("the writer ended with %d: %s" % (writer.returncode, err.decode()))

    def listing(self):
        command = "dump" if self.threads == 1 else "partition"
        return subprocess.run([self.program, command, self.store], check=True, stdout=subprocess.PIPE).stdout

    def kill_once(self, rng):
        """Starts and kills; how it was killed."""
        writer = self.start()
        before = acknowledged_bytes(self.acknowledged, self.threads)
        if rng.random() < 0.5:
            way = "after %.1f ms" % (1000 * rng.expovariate(1 / 0.08))
            until = time.monotonic() + float(way.split()[1]) / 1000
            while writer.poll() is None and time.monotonic() < until:
                time.sleep(max(0.0, min(0.01, until - time.monotonic())))
        else:
            lines = rng.randint(1, 120)
            way = "after %d lines" % lines
            while (
                writer.poll() is None
                and acknowledged_bytes(self.acknowledged, self.threads) < before + lines * LINE_BYTES
            ):
                time.sleep(0.001)
        writer.send_signal(signal.SIGKILL)
        _, err = writer.communicate()
        if writer.returncode != -signal.SIGKILL:
            sys.exit("killed %s, the writer ended with %d: %s" % (way, writer.returncode, err.decode()))
        if rng.random() < 0.2:
            self.cut_a_line(rng)
            way += ", in the middle of a line"
        return way

    def cut_a_line(self, rng):
        """Leaves what a kill leaves during write(2): rare, since only a line across two pages of memory can be cut."""
        with open("%s.%d" % (self.acknowledged, rng.randrange(self.threads)), "ab") as file:
            file.write((b"o %20d" % 0)[: rng.randint(1, 22)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("writer")
    parser.add_argument("durability", choices=["none", "snapshot", "journal", "sync"])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = random.SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    print("seed %d" % seed, flush=True)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        killed = Writer(
            os.path.abspath(arguments.writer), os.path.join(folder, "killed"), arguments.durability, arguments.threads
        )
        for number in range(arguments.rounds):
            way = killed.kill_once(rng)
            print("round %d: killed %s" % (number, way), flush=True)
        end = max(position(killed.acknowledged, thread) for thread in range(arguments.threads)) + LAST_OPERATIONS
        killed.finish(end)
        undisturbed = Writer(
            killed.program, os.path.join(folder, "undisturbed"), arguments.durability, arguments.threads
        )
        undisturbed.finish(end)
        found, expected = killed.listing(), undisturbed.listing()
        if found != expected:
            lines, others = set(found.splitlines()), set(expected.splitlines())
            sys.exit(
                "after %d operations:\nonly with kills:\n%s\nonly without:\n%s"
                % (
                    end,
                    b"\n".join(sorted(lines - others)[:20]).decode(),
                    b"\n".join(sorted(others - lines)[:20]).decode(),
                )
            )
        print("%d operations, %d kills: everything is as without them" % (end, arguments.rounds))


if __name__ == "__main__":
    main()
