#!/usr/bin/env python3
"""Ways to lose data by an output: whatever is named, killed or full, what was there before is there still.

usage: outputs_test.py PATH_OF_NDC [unittest arguments]
"""
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

import cli_test
from cli_test import Archive, CliTest

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/sample/documentation.warc.gz")
NOBODY = 65534
KILLS = 10
BEFORE = b"what was there before\n"


def limited_files():
    """A file size limit is the full disk that needs no disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


class OutputsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.archive = self.pages()
        self.content = b"".join(Archive.records())
        self.out = self.path("out")

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def unfinished(self):
        """What is left of outputs that have not got their names."""
        return [
            os.path.join(folder, name)
            for folder, folders, names in os.walk(self.folder.name)
            for name in folders + names
            if "unfinished" in name
        ]

    def commands(self, archive=None):
        """Each command that writes a file, without the file's name."""
        archive = archive or self.archive
        return {
            "dedup": ["dedup", archive, "-o"],
            "store": ["dedup", archive, "--store", self.path("pages.ndc"), "-o"],
            "metadata": ["dedup", archive, "-o", "/dev/null", "--warc-metadata"],
            "keep": ["dedup", archive, "-o", "/dev/null", "--keep-urls"],
            "drop": ["dedup", archive, "-o", "/dev/null", "--drop-urls"],
            "pairs": ["pairs", archive, "--threshold", "0.5", "-o"],
            "filter": ["filter", archive, "-o"],
        }

    def run_ndc(self, arguments, **process):
        done = subprocess.run([cli_test.NDC, *arguments], stderr=subprocess.PIPE, timeout=300, **process)
        return done.returncode, done.stderr.decode()

    def assert_refused(self, arguments, words="is one of the inputs", code=2, **process):
        found, err = self.run_ndc(arguments, **process)
        self.assertEqual((found, words in err), (code, True), (arguments, found, err))
        self.assertEqual(self.read(self.archive), self.content)
        self.assertEqual(self.unfinished(), [])


class InputTest(OutputsTest):
    def test_the_input_itself(self):
        for command in self.commands().values():
            self.assert_refused([*command, self.archive])
            self.assert_refused([*command, self.path(".", "..", os.path.basename(self.folder.name), "pages.warc")])

    def test_a_hard_link(self):
        os.link(self.archive, self.path("hard"))
        for command in self.commands().values():
            self.assert_refused([*command, self.path("hard")])

    def test_the_name_of_an_unfinished_output(self):
        name = self.path(".out.ndc-unfinished")
        os.rename(self.archive, name)
        for command in self.commands(name).values():
            code, err = self.run_ndc([*command, self.out])
            self.assertEqual((code, "has the name under which" in err), (2, True), err)
            self.assertEqual(self.read(name), self.content)
            self.assertFalse(os.path.exists(self.out))

    def test_a_symbolic_link(self):
        os.symlink("pages.warc", self.path("link"))
        os.symlink("link", self.path("chain"))
        for command in self.commands().values():
            self.assert_refused([*command, self.path("chain")])
        # Read by the link, written by the name.
        for command in self.commands(self.path("chain")).values():
            self.assert_refused([*command, self.archive])

    def test_a_descriptor(self):
        with open(self.archive, "r+b") as file:
            for name in ("/dev/fd/%d", "/proc/self/fd/%d", "/proc/thread-self/fd/%d"):
                for command in self.commands().values():
                    self.assert_refused([*command, name % file.fileno()], pass_fds=[file.fileno()])

    def test_standard_output(self):
        url = Archive.pages[0][0]
        for command in (
            ["dedup", self.archive],
            ["dedup", self.archive, "-o", "/dev/stdout"],
            ["pairs", self.archive, "--threshold", "0.5"],
            ["filter", self.archive, "-o", "/dev/stdout"],
            ["extract", self.archive],
            ["extract", self.archive, "--url", url],
            ["similar", self.archive, url],
        ):
            for mode in ("ab", "r+b"):
                with open(self.archive, mode) as file:
                    self.assert_refused(command, stdout=file)
        with open(self.archive, "ab") as file:
            self.assert_refused(["explain", self.archive, url, Archive.pages[1][0]], code=1, stdout=file)

    def test_standard_input(self):
        for command in (["dedup", "-", "-o"], ["pairs", "-", "--threshold", "0.5", "-o"]):
            with open(self.archive, "rb") as file:
                self.assert_refused([*command, self.archive], stdin=file)

    def test_a_list_of_paths(self):
        listed = self.archive.encode() + b"\n"
        names = self.write("list", listed)
        for command in self.commands(names).values():
            self.assert_refused([*command, names])
            self.assert_refused([*command, self.archive])
            self.assertEqual(self.read(names), listed)

    def test_a_file_of_a_folder(self):
        page = self.write("page.html", Archive.pages[0][1])
        self.assert_refused(["dedup", self.folder.name, "-o", page])
        self.assertEqual(self.read(page), Archive.pages[0][1])
        # A new file in it is no page, until the next run finds it there.
        out = self.path("rows.tsv")
        self.ndc("dedup", self.folder.name, "-o", out)
        rows = self.read(out)
        self.assert_refused(["dedup", self.folder.name, "-o", out])
        self.assertEqual(self.read(out), rows)

    def test_the_folder_of_a_report(self):
        report = self.path("report")
        self.ndc("report", self.archive, "-o", report)
        page = self.path("report", "pages.warc")
        shutil.copy(self.archive, page)
        self.assert_refused(["report", page, "-o", report], "lies in the folder")
        self.assertEqual(self.read(page), self.content)

    def test_what_a_report_has_behind_a_link_is_not_removed(self):
        report = self.path("report")
        self.ndc("report", self.archive, "--parts", "-o", report)
        os.mkdir(self.path("elsewhere"))
        own = self.write("elsewhere/own.js", BEFORE)
        shutil.rmtree(self.path("report", "data"))
        os.symlink("../elsewhere", self.path("report", "data"))
        for layout in ("--single-file", "--parts"):
            self.ndc("report", self.archive, layout, "-o", report)
            self.assertEqual(self.read(own), BEFORE)
            self.assertTrue(os.path.islink(self.path("report", "data")))

    def test_files_of_a_store(self):
        store = self.path("pages.ndc")
        self.ndc("dedup", "--store", store, self.archive, "-o", "/dev/null")
        before = {name: self.read(os.path.join(store, name)) for name in os.listdir(store)}
        for name in before:
            for command in (
                ["dump", store],
                ["stats", store],
                ["verify", store],
                ["dedup", "--store", store, self.archive],
            ):
                with open(os.path.join(store, name), "ab") as file:
                    self.assert_refused(command, code=1, stdout=file)
        self.assertEqual(before, {name: self.read(os.path.join(store, name)) for name in os.listdir(store)})

    def test_a_missing_input(self):
        for command in self.commands(self.path("none.warc")).values():
            self.write("out", BEFORE)
            self.assertEqual(self.run_ndc([*command, self.out])[0], 1)
            self.assertEqual(self.read(self.out), BEFORE)

    def test_outputs_are_separate(self):
        for there in (False, True):
            for options in (
                ["--output", "--warc-metadata"],
                ["--output", "--keep-urls"],
                ["--keep-urls", "--drop-urls"],
            ):
                names = [self.path("one"), self.path("one" if not there else "two")]
                if there:
                    os.link(self.write("one", BEFORE), names[1])
                words = [word for pair in zip(options, names) for word in pair]
                self.assert_refused(["dedup", self.archive, *words], "are the same file")
                if there:
                    self.assertEqual(self.read(names[0]), BEFORE)
                    os.remove(names[0])
                    os.remove(names[1])
                else:
                    self.assertFalse(os.path.exists(names[0]))


class KilledTest(OutputsTest):
    def begun(self, command):
        """A process that has begun to write, and when."""
        process = subprocess.Popen([cli_test.NDC, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not self.unfinished() and process.poll() is None:
            time.sleep(0.001)
        return process, time.monotonic()

    def assert_kills_lose_nothing(self, command, before, is_whole, clean=lambda: None):
        """Killed at ten moments, the output is what it was or whole, and the next run clears up."""
        clean()
        process, begin = self.begun(command)
        self.assertEqual(process.wait(timeout=300), 0)
        seconds = time.monotonic() - begin
        left = 0
        for moment in range(KILLS):
            clean()
            before()
            process, _ = self.begun(command)
            try:
                process.wait(timeout=seconds * moment / KILLS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            left += bool(self.unfinished())
            is_whole()
        self.assertGreater(left, 0, "no kill met a file that was being written")
        clean()
        self.assertEqual(self.run_ndc(command, stdout=subprocess.DEVNULL)[0], 0)
        self.assertEqual(self.unfinished(), [])

    def test_files(self):
        for name, command in self.commands(SAMPLE).items():
            with self.subTest(command=name):
                self.ndc(*command, self.out)
                whole = self.normal(self.read(self.out))
                clean = lambda: shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)
                is_whole = lambda: self.assertIn(self.normal(self.read(self.out)), (BEFORE, whole))
                self.assert_kills_lose_nothing([*command, self.out], lambda: self.write("out", BEFORE), is_whole, clean)
                os.remove(self.out)

    def normal(self, data):
        """The first record of WARC metadata has a date and an id of its own."""
        return (
            data.partition(b"WARC-Type: metadata")[2] if data.startswith(b"WARC/") and b"nd-verdict" in data else data
        )

    def test_reports(self):
        for layout in ("--single-file", "--parts"):
            with self.subTest(layout=layout):
                report = self.path("report")
                command = ["report", SAMPLE, layout, "-o", report]
                self.ndc("report", self.archive, "--parts", "-o", report)
                old = self.report(report)
                self.ndc(*command)
                new = self.report(report)
                self.assertNotEqual(old, new)
                self.assert_kills_lose_nothing(
                    command,
                    lambda: self.ndc("report", self.archive, "--parts", "-o", report),
                    lambda: self.assert_whole_report(self.report(report), old, new),
                )
                self.assertEqual(self.report(report), new)

    def assert_whole_report(self, found, old, new):
        """No file is missing or half. With an index that only the new one has everything is new, and parts of the old
        one may be left to be removed; between two of one index some parts may be new already."""
        if found["index.html"] != old["index.html"]:
            self.assertTrue(new.items() <= found.items())
        self.assertTrue(old.keys() <= found.keys() or new.keys() <= found.keys())
        for name, content in found.items():
            self.assertTrue(content in (old.get(name), new.get(name)), name)

    def report(self, folder):
        return {
            os.path.relpath(os.path.join(place, name), folder): self.read(os.path.join(place, name))
            for place, _, names in os.walk(folder)
            for name in names
            if "unfinished" not in place + name
        }

    def test_a_living_process_keeps_its_file(self):
        """A second writer of the same output is refused, and takes nothing from the first."""
        for name, command in self.commands("-").items():
            if name == "filter":
                continue  # reads no pipe
            with self.subTest(command=name):
                self.write("out", BEFORE)
                first = subprocess.Popen(
                    [cli_test.NDC, *command, self.out],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
                while not self.unfinished():
                    time.sleep(0.01)
                second = self.commands()[name if name != "store" else "dedup"]
                code, err = self.run_ndc([*second, self.out], stdout=subprocess.DEVNULL)
                self.assertEqual(code, 1)
                self.assertEqual(err, "ndc: cannot write %s: another process is writing it\n" % self.out)
                self.assertEqual(self.read(self.out), BEFORE)
                self.assertEqual(len(self.unfinished()), 1)
                _, err = first.communicate(self.content, timeout=300)
                self.assertEqual(first.returncode, 0, err)
                self.assertNotEqual(self.read(self.out), BEFORE)
                self.assertEqual(self.unfinished(), [])

    def test_what_is_removed_of_an_interrupted_run_is_said(self):
        for command in self.commands().values():
            name = self.write(".out.ndc-unfinished", BEFORE)
            code, err = self.run_ndc([*command, self.out], stdout=subprocess.DEVNULL)
            self.assertEqual(
                (code, err.count("ndc: removed %s, which an interrupted run had left" % name)), (0, 1), err
            )
            self.assertFalse(os.path.exists(name))
            shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)
        self.write(".out.ndc-unfinished", b"")
        self.assertNotIn("interrupted", self.ndc(*self.commands()["dedup"], self.out)[1])

    def test_a_run_with_a_store_continues_in_what_was_left(self):
        command = [*self.commands(SAMPLE)["store"], self.out]
        expected = self.ndc("dedup", "--store", self.path("another.ndc"), SAMPLE)[0]
        self.write("out", BEFORE)
        process = subprocess.Popen([cli_test.NDC, *command], stderr=subprocess.PIPE)
        unfinished = self.path(".out.ndc-unfinished")
        while not os.path.exists(unfinished) or os.path.getsize(unfinished) < 2000:
            self.assertIsNone(process.poll())
            time.sleep(0.001)
        process.kill()
        process.communicate()
        self.assertEqual(self.read(self.out), BEFORE)
        err = self.ndc(*command)[1]
        self.assertIn("continuing an earlier run behind", err)
        self.assertEqual(self.read(self.out), expected)
        self.assertEqual(self.unfinished(), [])
        # Where the last step alone was not done, it is all that is left to do: the bookmark says so before.
        self.assertIn("nothing to do", self.ndc(*command)[1])
        self.assertEqual(self.read(self.out), expected)


class PlaceTest(OutputsTest):
    def assert_fails(self, out, words, **process):
        for name, command in self.commands().items():
            with self.subTest(command=name):
                code, err = self.run_ndc([*command, out], stdout=subprocess.DEVNULL, **process)
                self.assertEqual(code, 1, err)
                self.assertTrue(err.splitlines()[-1].startswith("ndc: cannot write " + out), err)
                self.assertIn(words, err)
                self.assertEqual(self.read(self.archive), self.content)

    def test_a_full_disk(self):
        self.archive = SAMPLE
        self.content = self.read(SAMPLE)
        for name, command in self.commands().items():
            if name == "store":
                continue  # the store itself is beyond the limit
            with self.subTest(command=name):
                self.write("out", BEFORE)
                code, err = self.run_ndc([*command, self.out], preexec_fn=limited_files)
                self.assertEqual(code, 1)
                # What waits for the end of the input does so in a file that is as large.
                self.assertRegex(err, "^ndc: .*cannot write (%s|a temporary file): File too large\n$" % self.out)
                self.assertEqual(self.read(self.out), BEFORE)
                self.assertEqual(self.unfinished(), [])
        report = self.path("report")
        self.ndc("report", self.pages(), "-o", report)
        before = self.read(os.path.join(report, "index.html"))
        for layout in ("--single-file", "--parts"):
            code, err = self.run_ndc(["report", SAMPLE, layout, "-o", report], preexec_fn=limited_files)
            self.assertEqual(code, 1)
            self.assertIn("File too large", err)
            self.assertEqual(os.listdir(report), ["index.html"])
            self.assertEqual(self.read(os.path.join(report, "index.html")), before)

    def test_a_folder_that_is_not_there(self):
        self.assert_fails(self.path("none", "out"), "No such file or directory")

    def test_a_folder_of_this_name(self):
        os.mkdir(self.out)
        self.write("out/inside", BEFORE)
        self.assert_fails(self.out, "Is a directory")
        self.assert_fails(self.out + "/", "Is a directory")
        self.assertEqual(self.read(self.path("out", "inside")), BEFORE)
        self.assert_fails(self.path("none") + "/", "No such file or directory")

    def test_what_has_the_name_of_the_unfinished_file_is_named(self):
        name = self.path(".out.ndc-unfinished")
        os.mkdir(name)
        self.assert_fails(self.out, name + ": Is a directory")
        os.rmdir(name)
        os.symlink("pages.warc", name)
        command = ["dedup", self.write("other.warc", self.content), "-o", self.out]
        code, err = self.run_ndc(command)
        self.assertEqual((code, name + ": Too many levels of symbolic links" in err), (1, True), err)
        self.assertTrue(os.path.islink(name))

    def as_other_user(self):
        """The program with its library, where somebody whom permissions stop can run it, and how."""
        os.chmod(self.folder.name, 0o755)
        place = self.path("program")
        os.mkdir(place)
        shutil.copy(cli_test.NDC, os.path.join(place, "ndc"))
        loaded = subprocess.run(["ldd", cli_test.NDC], capture_output=True, text=True, check=True).stdout
        shutil.copy(re.search(r"libndc\.so\S* => (\S+)", loaded).group(1), os.path.join(place, "libndc.so.2"))
        # A build that counts lines reports on standard error if it cannot write its counts.
        os.mkdir(self.path("counts"))
        os.chmod(self.path("counts"), 0o777)
        environment = {**os.environ, "LD_LIBRARY_PATH": place, "GCOV_PREFIX": self.path("counts")}
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        before, cli_test.NDC = cli_test.NDC, os.path.join(place, "ndc")
        self.addCleanup(setattr, cli_test, "NDC", before)
        return {"env": environment, "cwd": self.folder.name, **user}

    def test_a_folder_that_takes_no_files(self):
        process = self.as_other_user()
        closed = self.path("closed")
        os.mkdir(closed)
        out = self.write("closed/out", BEFORE)
        os.chmod(out, 0o666)
        os.chmod(closed, 0o555)
        self.addCleanup(os.chmod, closed, 0o755)
        os.mkdir(self.path("open"), 0o777)
        os.chmod(self.path("open"), 0o777)
        commands = self.commands()
        self.commands = lambda: {
            name: [word.replace(self.path("pages.ndc"), self.path("open", "pages.ndc")) for word in command]
            for name, command in commands.items()
        }
        # The file may be written, but nothing can be put beside it.
        self.assert_fails(out, "its folder takes no file beside it: Permission denied", **process)
        self.assert_fails(os.path.join(closed, "new"), "Permission denied", **process)
        self.assertEqual(self.read(out), BEFORE)
        self.assertEqual(os.listdir(closed), ["out"])
        code, err = self.run_ndc(["report", self.archive, "-o", closed + "/report"], **process)
        self.assertEqual((code, "Permission denied" in err), (1, True), err)

    def test_a_file_that_may_not_be_written(self):
        process = self.as_other_user()
        os.mkdir(self.path("open"))
        os.chmod(self.path("open"), 0o777)
        out = self.write("open/out", BEFORE)
        os.chmod(out, 0o444)
        code, err = self.run_ndc(["dedup", self.archive, "-o", out], **process)
        self.assertEqual((code, err), (1, "ndc: cannot write %s: Permission denied\n" % out))
        self.assertEqual(self.read(out), BEFORE)

    def test_another_file_system_than_that_of_temporary_files(self):
        others = [place for place in ("/dev/shm", "/var/tmp", "/run") if os.access(place, os.W_OK)]
        for other in others:
            folder = cli_test.tempfile.TemporaryDirectory(dir=other)
            self.addCleanup(folder.cleanup)
            for command in self.commands().values():
                out = os.path.join(folder.name, "out")
                self.ndc(*command, self.out)
                shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)
                self.ndc(*command, out)
                shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)
                if "--warc-metadata" not in command:
                    self.assertEqual(self.read(out), self.read(self.out))
                listed = {"out.left-out.tsv"} if command[0] == "filter" else set()  # what filter leaves out
                self.assertEqual(set(os.listdir(folder.name)) - listed, {"out"})
        self.assertGreater(len(others), 0)

    def test_names_of_every_length(self):
        for length in (1, 230, 239, 240, 241, 255):
            out = self.path("o" * length)
            self.ndc("dedup", self.archive, "-o", out)
            self.assertEqual(self.read(out), self.ndc("dedup", self.archive)[0])
            self.assertEqual(self.unfinished(), [])
        self.assertIn("File name too long", self.ndc("dedup", self.archive, "-o", self.path("o" * 256), code=1)[1])


class KeptTest(OutputsTest):
    """What is not lost with the content: links, permissions, and what is no regular file."""

    def test_a_link_stays(self):
        expected = self.ndc("dedup", self.archive)[0]
        os.mkdir(self.path("sub"))
        target = self.path("sub", "target")
        os.symlink("sub/target", self.out)
        for _ in range(2):  # it leads to nothing, then to a file
            self.ndc("dedup", self.archive, "-o", self.out)
            self.assertTrue(os.path.islink(self.out))
            self.assertEqual(self.read(target), expected)
            self.assertEqual(os.listdir(self.path("sub")), ["target"])

    def test_another_hard_link_keeps_what_it_has(self):
        os.link(self.write("other", BEFORE), self.out)
        self.ndc("dedup", self.archive, "-o", self.out)
        self.assertEqual(self.read(self.path("other")), BEFORE)

    def test_permissions(self):
        for command in self.commands().values():
            for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
                code, err = self.run_ndc([*command, self.out], preexec_fn=lambda: os.umask(mask))
                self.assertEqual((code, stat.S_IMODE(os.stat(self.out).st_mode)), (0, mode), err)
                for kept in (0o600, 0o640, 0o666, 0o755):
                    os.chmod(self.out, kept)
                    shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)
                    self.assertEqual(self.run_ndc([*command, self.out])[0], 0)
                    self.assertEqual(stat.S_IMODE(os.stat(self.out).st_mode), kept)
                os.remove(self.out)
                shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)

    def test_the_owner(self):
        self.write("out", BEFORE)
        owner = (NOBODY, NOBODY) if os.getuid() == 0 else (os.getuid(), os.getgid())
        os.chown(self.out, *owner)
        self.ndc("dedup", self.archive, "-o", self.out)
        status = os.stat(self.out)
        self.assertEqual((status.st_uid, status.st_gid), owner)

    def test_devices_and_pipes(self):
        for name, command in self.commands().items():
            if name == "filter":
                continue  # refuses them
            with self.subTest(command=name):
                self.ndc(*command, self.out)
                shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)
                self.ndc(*command, "/dev/null")
                self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
                shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)
                pipe = self.path("pipe")
                os.mkfifo(pipe)
                reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
                self.ndc(*command, pipe)
                self.assert_is_output(name, reader.communicate(timeout=60)[0])
                self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
                os.remove(pipe)
                for out in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
                    shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)
                    self.assert_is_output(name, self.ndc(*command, out)[0])
                shutil.rmtree(self.path("pages.ndc"), ignore_errors=True)

    def assert_is_output(self, name, data):
        if name == "metadata":
            self.assertEqual(data.count(b"nd-verdict"), len(Archive.pages))
        else:
            self.assertEqual(data, self.read(self.out))

    def test_an_open_file_is_written_from_where_it_is(self):
        expected = self.ndc("dedup", self.archive)[0]
        for name in ("/dev/stdout", "/dev/fd/1", "-"):
            with open(self.out, "wb") as file:
                file.write(BEFORE)
                file.flush()
                self.assertEqual(self.run_ndc(["dedup", self.archive, "-o", name], stdout=file)[0], 0)
                file.write(BEFORE)
            self.assertEqual(self.read(self.out), BEFORE + expected + BEFORE)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
