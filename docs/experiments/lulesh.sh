# SPDX-License-Identifier: BSD-3-Clause
# LULESH, loop by loop, and with memory that it keeps (lulesh.md).
# Needs LULESH: the program, as the page says; none of it is part of Carmine.
carmine app --levels --all --by loop --name lulesh -o lulesh.json -- env OMP_NUM_THREADS=1 $LULESH -s 45 -i 10
carmine app --levels --all --by loop --name lulesh-kept -o lulesh.json -- env OMP_NUM_THREADS=1 MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296 $LULESH -s 45 -i 10
carmine plot lulesh.json --chart levels --point lulesh -o lulesh-levels.png
carmine plot lulesh.json --chart levels --point lulesh-kept -o lulesh-kept-levels.png
