"""The recipe of Conan 2 for libndc, which it builds from the source archive beside it (docs/packages.md). The libraries
that ndc is made of are the system's: Conan Center has no libstemmer, and a program links none of them."""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, unzip
from conan.tools.system.package_manager import Apt

SYSTEM_PACKAGES = ("pkg-config", "libxml2-dev", "libicu-dev", "libpsl-dev", "libxxhash-dev", "libstemmer-dev")


class NdcRecipe(ConanFile):
    name = "ndc"
    version = "2.0.0"
    description = "Near-duplicate detection for web pages and texts, as they arrive"
    license = "Apache-2.0"
    topics = ("near-duplicates", "deduplication", "crawler", "warc")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "ndc-*.tar.gz"

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("ndc runs on Linux")

    def system_requirements(self):
        Apt(self).install(SYSTEM_PACKAGES, check=True)

    def layout(self):
        cmake_layout(self, src_folder=f"ndc-{self.version}")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["NDC_BUILD_TOOLS"] = False
        toolchain.cache_variables["NDC_UNITY_BUILD"] = True
        toolchain.generate()

    def build(self):
        archive = os.path.join(self.export_sources_folder, f"ndc-{self.version}.tar.gz")
        unzip(self, archive, destination=self.source_folder, strip_root=True)
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["ndc"]
        # Both are what a program finds without Conan.
        self.cpp_info.set_property("cmake_file_name", "ndc")
        self.cpp_info.set_property("cmake_target_name", "ndc::ndc")
        self.cpp_info.set_property("pkg_config_name", "ndc")
