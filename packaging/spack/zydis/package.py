# SPDX-License-Identifier: BSD-3-Clause
# Zydis, which Spack's own repository lacks, with the Zycore that belongs to it.
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Zydis(CMakePackage):
    """A decoder of x86 and x86-64 instructions."""

    homepage = "https://zydis.re"
    git = "https://github.com/zyantific/zydis.git"

    license("MIT")

    version("4.0.0", tag="v4.0.0", commit="1ba75aeefae37094c7be8eba07ff81d4fe0f1f20", submodules=True)

    depends_on("c", type="build")
    depends_on("cxx", type="build")

    sanity_check_is_file = ["include/Zydis/Zydis.h"]

    def cmake_args(self):
        return [
            self.define("ZYDIS_BUILD_SHARED_LIB", True),
            self.define("ZYDIS_BUILD_TOOLS", False),
            self.define("ZYDIS_BUILD_EXAMPLES", False),
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),
        ]
