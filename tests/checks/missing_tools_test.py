#!/usr/bin/env python3
"""What the scripts say on a machine that lacks something: one sentence that names it, and no build that
fails halfway."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class MissingToolsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="with a space ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        (self.root / "bin").mkdir()
        for name in ("require-tools", "install-dependencies"):
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts")
        for name in ("bash", "sh", "cat", "dirname", "head", "mkdir", "printf", "sed", "sort", "uname"):
            (self.root / "bin" / name).symlink_to(shutil.which(name))

    def program(self, name, text):
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def answer(self, script, *arguments, code=1):
        environment = {"PATH": str(self.root / "bin"), "HOME": str(self.root)}
        done = subprocess.run(
            [self.root / "scripts" / script, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, code, done)
        return done.stdout + done.stderr

    def test_old_cmake(self):
        self.assertIn("CMake is not installed", self.answer("require-tools"))
        self.program("cmake", "echo cmake version 3.18.4")
        self.assertRegex(self.answer("require-tools"), r"^CMake 3\.18\.4 is too old: ndc needs 3\.25 or newer.*\n$")
        self.program("cmake", "echo cmake version 3.4.1")
        self.assertIn("CMake 3.4.1 is too old", self.answer("require-tools"))

    def test_old_compiler(self):
        self.program("cmake", "echo cmake version 4.0.2-rc1")
        self.assertIn("Ninja is not installed", self.answer("require-tools"))
        self.program("ninja", "")
        self.assertIn("no C++ compiler c++", self.answer("require-tools"))
        self.program("c++", '[ "$1" = --version ] && echo "c++ 8.3.0" && exit; exit 1')
        self.assertRegex(self.answer("require-tools"), r"^c\+\+ 8\.3\.0 does not know C\+\+20: ndc needs .*\n$")
        self.program("c++", "cat >/dev/null")  # or who writes the source is killed
        self.assertEqual(self.answer("require-tools", code=0), "")

    def test_neither_root_nor_sudo(self):
        self.program("apt-get", "exit 1")
        self.program("dpkg-query", "exit 1")
        self.program("id", "echo 1000")
        said = self.answer("install-dependencies")
        self.assertRegex(
            said, r"^You are not root, and there is no sudo\. Run as root, then try again:\n  apt-get install .*cmake"
        )
        self.program("sudo", 'exec "$@"')
        said = self.answer("install-dependencies")
        self.assertIn("a Debian mirror that can be reached", said)

    def test_nothing_is_asked_for_that_is_there(self):
        self.program("apt-get", "exit 1")
        self.program("dpkg-query", "printf installed")
        self.assertEqual(self.answer("install-dependencies", code=0), "")

    def test_not_debian(self):
        said = self.answer("install-dependencies", code=0)
        self.assertRegex(said, r"^Not a Debian system: install the equivalents of these packages yourself\.\n")

    def test_this_machine_has_what_it_needs(self):
        done = subprocess.run([ROOT / "scripts/require-tools"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
