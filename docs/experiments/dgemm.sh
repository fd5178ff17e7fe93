# SPDX-License-Identifier: BSD-3-Clause
# A matrix product, step by step: three loops, six loops, libraries, by one thread and by all (dgemm.md).
# After threads: that has OpenBLAS' points.
carmine workload dgemm-triple,dgemm-blocked,dgemm-reference --quick --levels --sizes 100:1000:+100 -o dgemm.json
carmine workload dgemm-blis --threads 1,all --quick --levels --sizes 100:2800:+300 -o dgemm.json
carmine plot dgemm.json --chart dram --threads 1,all --per cycle --add unjoined --point "dgemm-triple,dgemm-blocked,dgemm-reference,dgemm-blis,dgemm-openblas" --size 800x600 -o dgemm-roofline.png
carmine workload dgemm-triple,dgemm-blocked --quick --levels=L2=128K:8,L3=896K:14 --sizes 50:600:+50 -o dgemm-fall.json
carmine workload dgemm-blocked --block 10 --quick --levels=L2=128K:8,L3=896K:14 --sizes 50:600:+50 -o dgemm-fall.json
carmine plot dgemm-fall.json --chart dram --threads 1 --per cycle --add unjoined --size 800x560 -o dgemm-fall.png
