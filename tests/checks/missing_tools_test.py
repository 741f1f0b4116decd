#!/usr/bin/env python3
"""What the scripts say on a machine that lacks something: one sentence that names it, and no build that
fails halfway."""
import pathlib
import shutil
import subprocess
import sys
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
        for name in ("bash", "sh", "cat", "dirname", "env", "head", "mkdir", "printf", "sed", "sort", "uname"):
            (self.root / "bin" / name).symlink_to(shutil.which(name))

    def program(self, name, text):
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def answer(self, script, *arguments, code=1):
        return self.answer_of(self.root / "scripts" / script, *arguments, code=code)

    def answer_of(self, *command, code=1):
        environment = {"PATH": str(self.root / "bin"), "HOME": str(self.root)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
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
        self.assertIn(" python3-venv", self.answer("install-dependencies", "--python"))
        self.program("sudo", 'exec env -i PATH="$PATH" "$@"')
        said = self.answer("install-dependencies")
        self.assertIn("a Debian mirror that can be reached", said)
        self.program("apt-cache", '[ "$2" != libcli11-dev ]')
        self.assertIn("This Debian has no package libcli11-dev: ndc needs", self.answer("install-dependencies"))
        self.program("apt-cache", "exit 100")
        self.assertIn("a Debian mirror that can be reached", self.answer("install-dependencies"))
        self.program("apt-get", '[ "$1" = update ] || [ "$DEBIAN_FRONTEND" = noninteractive ]')
        self.assertRegex(self.answer("install-dependencies", code=0), r"^Installing .*cmake.*\n$")

    def test_nothing_is_asked_for_that_is_there(self):
        self.program("apt-get", "exit 1")
        self.program("dpkg-query", "printf installed")
        self.assertEqual(self.answer("install-dependencies", code=0), "")

    def test_not_debian(self):
        said = self.answer("install-dependencies", code=0)
        self.assertRegex(said, r"^Not a Debian system: install the equivalents of these packages yourself\.\n")

    def test_a_tool_that_tests_call(self):
        script = self.root / "CMakeLists.txt"
        call = 'ndc_find_tool(WEAVER weave weaver "the tests weave with it")'
        script.write_text(f'include("{ROOT}/cmake/NdcTools.cmake")\n{call}\n')
        cmake = shutil.which("cmake")
        said = " ".join(self.answer_of(cmake, "-P", script).split())
        self.assertIn("weave was not found: the tests weave with it. Install it (Debian: apt-get install weaver,", said)
        self.program("weave", "")
        self.assertEqual(self.answer_of(cmake, f"-DCMAKE_PROGRAM_PATH={self.root / 'bin'}", "-P", script, code=0), "")

    def test_what_cpack_lacks(self):
        def packed():
            return self.answer_of(
                *(sys.executable, "-B", ROOT / "tests/install/packages_test.py", "--build", self.root),
                *("--work", self.root / "packages", "--cpack", "cpack", "--libdir", "lib", "--version", "1.0.0"),
            )

        self.assertIn("cpack needs dpkg-shlibdeps, which is not installed (Debian: dpkg-dev)", packed())
        self.program("dpkg-shlibdeps", "")
        self.assertIn("cpack needs file, which is not installed (Debian: file)", packed())
        self.program("file", "")
        self.program("cpack", "echo making packages; echo it rains >&2; exit 7")
        self.assertIn("cpack ends with 7:\nmaking packages\nit rains\n", packed())

    def test_this_machine_has_what_it_needs(self):
        done = subprocess.run([ROOT / "scripts/require-tools"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
