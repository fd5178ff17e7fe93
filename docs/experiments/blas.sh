# SPDX-License-Identifier: BSD-3-Clause
# The three levels of BLAS, our loops and OpenBLAS (blas.md).
carmine workload daxpy --quick --sizes 10K,130K,490K,1090K --levels -o blas.json
carmine workload dgemv --quick --sizes 100,400,1000 --levels -o blas.json
carmine workload dgemm-scalar-replacement --quick --sizes 50,100,200 --levels -o blas.json
carmine plot blas.json --chart dram --per cycle --size 800x560 -o blas-dram.png
carmine workload daxpy-openblas --quick --sizes 10K,130K,490K,1090K -o blas.json
carmine workload dgemv-openblas --quick --sizes 100,400,1000 -o blas.json
carmine workload dgemm-openblas --quick --sizes 50,100,200 -o blas.json
carmine plot blas.json --per cycle --size 800x560 -o blas-roofline.png
