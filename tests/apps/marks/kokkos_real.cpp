// SPDX-License-Identifier: BSD-3-Clause
// Kokkos, by its own headers and library: two kernels with names, in a region.
#include <cstdio>

#include <Kokkos_Core.hpp>

int main(int argc, char **argv) {
    Kokkos::initialize(argc, argv);
    {
        Kokkos::View<double *> numbers("numbers", 1000);
        double sum = 0;
        Kokkos::Profiling::pushRegion("solve");
        Kokkos::parallel_for("fill", 1000, KOKKOS_LAMBDA(int i) { numbers(i) = i * 0.5; });
        Kokkos::parallel_reduce("sum", 1000, KOKKOS_LAMBDA(int i, double &part) { part += numbers(i); }, sum);
        Kokkos::Profiling::popRegion();
        std::printf("region \"solve\" calls 1 open 0 mismatched 0 flop 2000\n"
                    "region \"fill\" calls 1 open 0 mismatched 0 flop 1000\n"
                    "region \"sum\" calls 1 open 0 mismatched 0 flop 1000\n%g\n",
                    sum);
    }
    Kokkos::finalize();
    return 0;
}
