# SPDX-License-Identifier: BSD-3-Clause
# What is counted against what theory says, as the paper's table IV (validation.md).
carmine workload daxpy-openblas --quick --repeat 1 --levels --sizes 1M:6M:+1M,10M -o validation.json
carmine workload dgemv-openblas,dgemm-openblas --quick --repeat 1 --levels --sizes 100:600:+100 -o validation.json
carmine workload dgemv,dgemm-triple --quick --repeat 1 --levels --sizes 100:400:+100 -o validation.json
carmine plot validation.json --chart ratio --of dram --add working-set --size 800x480 -o validation-dram.png
# The thesis' kernels, seen at L2 and on the way to memory: smaller than L2, larger, and larger than L3.
carmine workload read,write,write-stream,triad --quick --repeat 1 --levels --sizes 16K,400K,8M -o validation-links.json
carmine workload read,write,write-stream,triad --state warm --quick --repeat 1 --levels --sizes 16K,400K,8M -o validation-links.json
