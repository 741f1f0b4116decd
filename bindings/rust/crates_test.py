"""crates_test.py CARGO LIBRARY FOLDER: the packaged crates have what they need, and a program that takes them finds the
library by each of the three ways; where there is none, the build says what to do."""
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
CARGO, LIBRARY, FOLDER = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3])
PROGRAM = """
use ndc::{Engine, Options, Page};

fn main() {
    let pages = Engine::in_memory(&Options::new()).unwrap();
    println!("{} {}", ndc::version(), pages.check(&Page::new("a", "<p>A page")).unwrap().verdict);
}
"""


class Crates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        command = [HERE / "make-crates", cls.folder / "crates", LIBRARY]
        subprocess.run(command, env={**os.environ, "CARGO": CARGO}, check=True)
        cls.crates = {}
        for path in (cls.folder / "crates").iterdir():
            with tarfile.open(path) as archive:
                archive.extractall(cls.folder / "unpacked")
            cls.crates[path.name.rsplit("-", 1)[0]] = cls.folder / "unpacked" / path.name.removesuffix(".crate")
        program = cls.folder / "program"
        (program / "src").mkdir(parents=True)
        (program / "src/main.rs").write_text(PROGRAM)
        (program / "Cargo.toml").write_text(
            '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2021"\n'
            "[features]\nbundled = ['ndc-dedup/bundled']\n"
            f"[dependencies]\nndc-dedup = {{ path = '{cls.crates['ndc-dedup']}' }}\n"
            f"[patch.crates-io]\nndc-dedup-sys = {{ path = '{cls.crates['ndc-dedup-sys']}' }}\n"
        )

    def run_program(self, *arguments, **variables):
        environment = {key: value for key, value in os.environ.items() if key not in ("NDC_LIB_DIR", "LD_LIBRARY_PATH")}
        environment.update(CARGO_TARGET_DIR=str(FOLDER), **variables)
        command = [CARGO, "run", "--offline", "--quiet", *arguments]
        return subprocess.run(command, cwd=self.folder / "program", env=environment, capture_output=True, text=True)

    def check_program(self, *arguments, **variables):
        done = self.run_program(*arguments, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        version, verdict = done.stdout.split()
        self.assertEqual((verdict, version), ("new", next(iter(self.crates.values())).name.rsplit("-", 1)[1]))

    def test_what_is_in_them(self):
        self.assertEqual(set(self.crates), {"ndc-dedup", "ndc-dedup-sys"})
        for crate in self.crates.values():
            for name in ("Cargo.toml", "README.md", "LICENSE", "src/lib.rs"):
                self.assertTrue((crate / name).is_file(), f"{crate.name}: {name}")
            self.assertFalse((crate / "tests").exists())

    def test_a_folder_that_is_named(self):
        self.check_program(NDC_LIB_DIR=str(LIBRARY.parent), LD_LIBRARY_PATH=str(LIBRARY.parent))

    def test_pkg_config(self):
        version = self.crates["ndc-dedup"].name.rsplit("-", 1)[1]
        for name, written in (("this", version), ("older", "1.4.9")):
            (self.folder / name).mkdir()
            text = f"Name: ndc\nDescription: ndc\nVersion: {written}\nLibs: -L{LIBRARY.parent} -lndc\n"
            (self.folder / name / "ndc.pc").write_text(text)
        self.check_program(PKG_CONFIG_PATH=str(self.folder / "this"), LD_LIBRARY_PATH=str(LIBRARY.parent))
        done = self.run_program(PKG_CONFIG_PATH=str(self.folder / "older"), PKG_CONFIG_LIBDIR="")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("NDC_LIB_DIR", done.stderr)

    def test_pkg_config_for_another_machine(self):
        """By the build script alone, since the target's standard library may not be there."""
        script = self.folder / "build_script"
        sources = self.crates["ndc-dedup-sys"] / "build.rs"
        version = {"CARGO_PKG_VERSION": sources.parent.name.rsplit("-", 1)[1]}
        rustc = Path(CARGO).with_name("rustc")
        subprocess.run([rustc, "--edition=2021", sources, "-o", script], env={**os.environ, **version}, check=True)
        here = {key: value for key, value in os.environ.items() if key not in ("NDC_LIB_DIR", "PKG_CONFIG_ALLOW_CROSS")}
        here.update(HOST="x86_64-unknown-linux-gnu", TARGET="aarch64-unknown-linux-gnu", PKG_CONFIG="echo")
        refused = subprocess.run([script], env=here, capture_output=True, text=True)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("PKG_CONFIG_ALLOW_CROSS", refused.stderr)
        for change in ({"TARGET": here["HOST"]}, {"PKG_CONFIG_ALLOW_CROSS": "1"}):
            done = subprocess.run([script], env={**here, **change}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("", "_PATH", "_LIBDIR", "_SYSROOT_DIR", "_ALLOW_CROSS"):
            self.assertIn(f"cargo:rerun-if-env-changed=PKG_CONFIG{name}\n", done.stdout)

    def test_the_library_in_the_crate(self):
        self.check_program("--features", "bundled", PKG_CONFIG="false")

    def test_a_crate_without_a_library_says_so(self):
        native = self.crates["ndc-dedup-sys"] / "native"
        native.rename(self.folder / "native")
        try:
            done = self.run_program("--features", "bundled")
        finally:
            (self.folder / "native").rename(native)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no library for linux-", done.stderr)


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    unittest.main(argv=sys.argv[:1])
