# SPDX-License-Identifier: BSD-3-Clause
# LART's figure 6: roofs, validation points, HPCCG's three loops and STREAM in one picture (lart.md); lart.c is beside this file.
carmine validate lart.json --mix 2ld1st --quick
cc -O3 -march=native -g -o lart lart.c -lm
carmine app -o lart.json --name hpccg --by function --all -- ./lart 80 50
carmine workload stream-scale,stream-add,stream-triad --quick --sizes 4M -o lart.json
carmine plot lart.json --point hpccg/sparsemv,hpccg/ddot,hpccg/waxpby,stream-scale,stream-add,stream-triad --roof 2ld1st --threads 1 --intensities --size 900x600 -o lart-best.png
carmine plot lart.json --no-points --roof median --threads 1 --size 900x600 -o lart-median.png
