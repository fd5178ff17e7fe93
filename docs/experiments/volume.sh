# SPDX-License-Identifier: BSD-3-Clause
# Measured and expected traffic of memory kernels in the caches of the thesis' Core Duo; the bytes that a flush writes (volume.md).
carmine workload read,write,write-stream,triad --quick --repeat 1 --levels=exact,L1=32K:8,L2=2M:8,L3=none --state write-back-left-out --sizes 1K:1024K:*2 -o volume.json
carmine workload read,write,write-stream,triad --quick --repeat 1 --levels=exact,L1=32K:8,L2=2M:8,L3=none --state write-back-counted --sizes 1K:1024K:*2 -o volume.json
carmine workload read,write,write-stream,triad --quick --repeat 1 --levels=exact,L1=32K:8,L2=4M:16,L3=none --state write-back-left-out --sizes 1K,256K,512K,1024K -o volume-core.json
carmine workload read,write,write-stream,triad --quick --repeat 1 --levels=exact,L1=32K:8,L2=4M:16,L3=none --state write-back-counted --sizes 1K,256K,512K,1024K -o volume-core.json
carmine plot volume.json --chart ratio --of dram --add working-set --point "read write-back left-out cold 1 thread,write write-back left-out cold 1 thread,write-stream write-back left-out cold 1 thread,triad write-back left-out cold 1 thread" --size 800x560 -o volume-ratio.png
