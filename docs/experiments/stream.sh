# SPDX-License-Identifier: BSD-3-Clause
# STREAM, and kernels that only read or only write, against the roofs (stream.md).
carmine workload stream-copy,stream-scale,stream-add,stream-triad --threads 1,all --quick --sizes 4M -o stream.json
carmine workload triad,read,write,write-stream --threads 1,all --quick --sizes 4M -o stream.json
carmine plot stream.json --threads 1 --size 800x560 -o stream-roofline.png
