# SPDX-License-Identifier: BSD-3-Clause
# STREAM, and kernels that only read or only write, against the roofs of the same access patterns (stream.md).
carmine workload stream-scale,stream-add,stream-triad,triad --quick --sizes 4M -o stream.json
carmine plot stream.json --per cycle --size 800x560 -o stream-one.png
carmine workload stream-copy,read,write,write-stream --quick --sizes 4M -o stream.json
carmine workload stream-copy,stream-scale,stream-add,stream-triad --threads all --quick --sizes 4M -o stream.json
carmine workload triad,read,write,write-stream --threads all --quick --sizes 4M -o stream.json
carmine workload stream-copy,stream-scale,stream-add,stream-triad --threads 1,2,4,8 --quick --sizes 4M -o stream-threads.json
