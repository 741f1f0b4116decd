"""What pyproject.toml cannot say: the version, which is the header's, and the tag of the wheel.

The native library is whatever build-wheel has put beside the package; nothing is compiled here.
"""
import re
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

HEADER = Path(__file__).with_name("ndcapi.h").read_text(encoding="utf-8")


class NativePackage(Distribution):
    """Of one platform, although setuptools has nothing to compile."""

    def has_ext_modules(self):
        return True


class PlatformWheel(bdist_wheel):
    """For every Python of the platform."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(
    version=".".join(
        re.search(rf"^#define ND_VERSION_{part} (\d+)$", HEADER, re.MULTILINE)[1]
        for part in ("MAJOR", "MINOR", "PATCH")
    ),
    distclass=NativePackage,
    cmdclass={"bdist_wheel": PlatformWheel},
)
