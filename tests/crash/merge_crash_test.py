#!/usr/bin/env python3
"""Kills `ndc merge-stores` at any moment: both stores stay as they are, and the new one is whole or not there.

usage: merge_crash_test.py NDC [--kills N] [--seed N]
"""
import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import cli_test  # noqa: E402

PAGES = 400
# So that it is written in several portions.
SMALL = ["--option", "memory_budget_bytes=4000000"]


def archive(rng, path, site):
    """Some pages stand in both archives, and many texts in several pages."""
    with open(path, "wb") as file:
        for number in range(PAGES):
            shared = rng.random() < 0.1
            url = "http://%s%d.example/%d" % ("both" if shared else site, number % 7, number)
            text = cli_test.article(rng.randrange(200), 15)
            if rng.random() < 0.5:
                text[rng.randrange(15)] = "A line that counts to %d." % rng.randrange(1000)
            file.write(cli_test.response(url, cli_test.html(text)))


def digest(folder):
    content = hashlib.sha256()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            content.update(b"%s %d\n" % (name.encode(), os.fstat(file.fileno()).st_size))
            content.update(file.read())
    return content.hexdigest()


def run(*command):
    done = subprocess.run(command, capture_output=True, timeout=600)
    if done.returncode != 0:
        sys.exit("%s: %d: %s" % (" ".join(command), done.returncode, done.stderr.decode()))
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ndc")
    parser.add_argument("--kills", type=int, default=15)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = random.SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    print("seed %d" % seed, flush=True)
    rng = random.Random(seed)
    ndc = os.path.abspath(arguments.ndc)
    with tempfile.TemporaryDirectory() as folder:
        first, second, merged, table = (os.path.join(folder, name) for name in ("a", "b", "c", "ids.tsv"))
        for store in (first, second):
            archive(rng, store + ".warc", os.path.basename(store))
            run(ndc, "dedup", "--store", store, store + ".warc", "-o", os.devnull)
        before = [digest(store) for store in (first, second)]
        command = [ndc, "merge-stores", first, second, "-o", merged, "--map", table, *SMALL]

        def look(name):
            run(ndc, "verify", merged)
            content = run(ndc, "dump", merged)
            os.rename(merged, os.path.join(folder, name))
            return content

        begin = time.monotonic()
        run(*command)
        seconds = time.monotonic() - begin
        expected = look("peace")
        kills = finished = unfinished = 0
        while kills < arguments.kills:
            process = subprocess.Popen(command, stderr=subprocess.PIPE)
            try:
                process.communicate(timeout=rng.uniform(0, seconds * 1.2))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
            if [digest(store) for store in (first, second)] != before:
                sys.exit("after %d kills: a store has changed" % kills)
            unfinished += os.path.exists(merged + ".new")
            if os.path.exists(merged):
                finished += 1
                if look("finished%d" % finished) != expected:
                    sys.exit("after %d kills: another store" % kills)
        run(*command)
        if look("last") != expected or os.path.exists(merged + ".new"):
            sys.exit("after %d kills: another store, or something is left of the kills" % kills)
        print("%d kills, %d of them left an unfinished store, %d merges ended" % (kills, unfinished, finished))


if __name__ == "__main__":
    main()
