# SPDX-License-Identifier: BSD-3-Clause
# The same kernels with cold and with warm data (cold-warm.md).
carmine workload daxpy --quick --sizes 1K,10K,100K,1M -o cold-warm.json
carmine workload daxpy --quick --sizes 1K,10K,100K,1M --data warm -o cold-warm.json
carmine workload dgemv --quick --sizes 50,150,400,1000 -o cold-warm.json
carmine workload dgemv --quick --sizes 50,150,400,1000 --data warm -o cold-warm.json
carmine workload dgemm-openblas --quick --sizes 50,150,400,1000 -o cold-warm.json
carmine workload dgemm-openblas --quick --sizes 50,150,400,1000 --data warm -o cold-warm.json
carmine plot cold-warm.json --per cycle --size 800x560 -o cold-warm-roofline.png
carmine plot cold-warm.json --chart performance --working-set --per cycle --size 800x480 -o cold-warm-performance.png
