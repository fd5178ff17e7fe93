# SPDX-License-Identifier: BSD-3-Clause
# M_ij = 3 j² M_ij by rows and by columns (introduction.md).
carmine workload order-rows,order-columns --quick --sizes 4M --levels -o introduction.json
carmine plot introduction.json --chart dram --per cycle --size 800x520 -o introduction-dram.png
