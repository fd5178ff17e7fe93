# SPDX-License-Identifier: BSD-3-Clause
# LART's figure 6: roofs, validation points, HPCCG's three loops and STREAM in one picture; its roofs as medians (lart.md).
carmine validate lart.json --mix 2ld1st --quick
carmine app --name hpccg --by function --all -o lart.json -- ../examples/hotspots 80 50
carmine workload stream-scale,stream-add,stream-triad --quick --sizes 4M -o lart.json
carmine plot lart.json --point hpccg/sparsemv,hpccg/ddot,hpccg/waxpby,stream-scale,stream-add,stream-triad --roof 2ld1st --threads 1 --add intensities --size 900x600 -o lart-best.png
carmine plot lart.json --point none --roof median --threads 1 --add deviation --size 900x600 -o lart-median.png
carmine sweep --mix 2ld1st --threads all --quick -o lart.json
carmine plot lart.json --point none --roof median --threads all --add deviation --size 900x600 -o lart-copies.png
