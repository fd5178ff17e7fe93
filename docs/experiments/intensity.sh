# SPDX-License-Identifier: BSD-3-Clause
# Kernels of 1/16 and 8 flop per byte, with and without FMA (intensity.md).
carmine workload intensity-1/16,intensity-1/16-fma,intensity-8,intensity-8-fma --quick --sizes 4M -o intensity.json
carmine plot intensity.json --per cycle --size 800x560 -o intensity-one.png
carmine workload intensity-1/16,intensity-1/16-fma,intensity-8,intensity-8-fma --threads all --quick --sizes 4M -o intensity.json
carmine plot intensity.json --per cycle --size 800x560 -o intensity-all.png
