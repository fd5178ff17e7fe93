# SPDX-License-Identifier: BSD-3-Clause
# The three levels of BLAS, our loops and OpenBLAS (blas.md).
carmine workload daxpy,daxpy-openblas --quick --sizes 10K,130K,490K,1090K -o blas.json
carmine workload dgemv,dgemv-openblas --quick --sizes 100,400,1000,1900 -o blas.json
carmine workload dgemm-scalar-replacement,dgemm-openblas --quick --sizes 100,300,500 -o blas.json
carmine plot blas.json --per-cycle --size 800x560 -o blas-roofline.png
carmine workload daxpy --quick --sizes 20K,80K --simulate --llc 256Ki -o blas.json
carmine workload dgemv --quick --sizes 200,600 --simulate --llc 256Ki -o blas.json
carmine workload dgemm-scalar-replacement --quick --sizes 50,100,150 --simulate --llc 256Ki -o blas.json
carmine plot blas.json --chart dram --per-cycle --size 800x560 -o blas-dram.png
