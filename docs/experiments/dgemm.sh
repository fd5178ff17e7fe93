# SPDX-License-Identifier: BSD-3-Clause
# A matrix product, step by step: three loops, six loops, registers, a library (dgemm.md).
carmine workload dgemm-triple,dgemm-blocked,dgemm-scalar-replacement --quick --sizes 100,300,500,1000 -o dgemm.json
carmine workload dgemm-openblas --quick --sizes 100,300,500,1000 -o dgemm.json
carmine plot dgemm.json --per cycle --size 800x560 -o dgemm-roofline.png
carmine plot dgemm.json --chart performance --per cycle --size 800x480 -o dgemm-performance.png
carmine workload dgemm-triple --quick --sizes 40:160:+40 --simulate --llc 64Ki -o dgemm-small-cache.json
carmine workload dgemm-blocked --block 10 --quick --sizes 40:160:+40 --simulate --llc 64Ki -o dgemm-small-cache.json
carmine workload dgemm-blocked --block 20 --quick --sizes 40:160:+40 --simulate --llc 64Ki -o dgemm-small-cache.json
carmine workload dgemm-blocked --block 40 --quick --sizes 40:160:+40 --simulate --llc 64Ki -o dgemm-small-cache.json
carmine plot dgemm-small-cache.json --chart intensity --of dram --size 800x560 -o dgemm-intensity.png
