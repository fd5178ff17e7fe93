# SPDX-License-Identifier: BSD-3-Clause
# Carmine for Spack 1.0 and later; packaging/README.md says how it is used and what it was checked against.
import os

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Carmine(MakefilePackage):
    """Cache-aware rooflines: measures what a CPU can reach, from L1 to DRAM with every instruction
    set, and tells of programs which roof limits them."""

    # The tarball of `make dist`, looked for in the folder where spack is called, or in a mirror.
    url = f"file://{os.getcwd()}/carmine-0.3.0.tar.xz"
    manual_download = True

    license("BSD-3-Clause")

    version("0.3.0", sha256="2e78899028c57d7a744754faef78614c48b09efdd4fb73de50dbcbc06551b259")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc")
    depends_on("papi")
    depends_on("cairo+ft+fc+pdf+svg")
    depends_on("libpng")
    depends_on("jansson")
    depends_on("zydis", when="target=x86_64")
    depends_on("libpfm4")
    depends_on("elfutils")
    depends_on("ncurses")

    # Kernels are compiled for one instruction set each, whatever the machine has. Flags for a newer target would put its
    # instructions into those of an older one.
    requires(
        "target=x86_64",
        "target=aarch64",
        policy="one_of",
        msg="carmine chooses its instruction sets itself: add target=x86_64 or target=aarch64",
    )
    requires("%gcc@12:", msg="the kernels need a compiler that knows AVX512-FP16 and SVE, and OpenMP that comes with it")

    sanity_check_is_file = [
        "bin/carmine",
        "include/carmine.h",
        "include/carmine_roofs.h",
        "lib/libcarmine.so",
        "lib/libcarmine-roofs.so",
        "lib/carmine/carmine-workload",
        "lib/carmine/libcarmine-papi.so",
        "lib/pkgconfig/carmine.pc",
        "share/man/man1/carmine.1",
        "share/man/man1/carmine-run.1",
    ]
    sanity_check_is_dir = ["lib/carmine"]

    @property
    def build_targets(self):
        return [f"CC={spack_cc}", f"PREFIX={self.prefix}", "all"]

    @property
    def install_targets(self):
        return [f"CC={spack_cc}", f"PREFIX={self.prefix}", "install"]

    # `make check` takes ten minutes and needs cmocka, valgrind and tmux.
    def check(self):
        pass
