# SPDX-License-Identifier: BSD-3-Clause
# BLAS 1 to 3 and a Fourier transform with warm data, over DRAM traffic (cold-warm.md).
# After threads: that has the same kernels with cold data.
carmine workload daxpy-openblas --state warm --levels=repeat=3 --sizes 10K,40K,130K,280K,490K,760K,1090K,1480K,1930K,2440K -o cold-warm.json
carmine workload dgemv-openblas --state warm --levels=repeat=3 --sizes 100:2800:+300 -o cold-warm.json
carmine workload fft-fftw --state warm --levels --sizes 2^5..2^20 -o cold-warm.json
carmine workload fft-fftw --state warm --levels=repeat=3 --sizes 2^21..2^22 -o cold-warm.json
carmine workload dgemm-openblas --state warm --levels --sizes 100:1000:+300 -o cold-warm.json
carmine workload dgemm-openblas --state warm --quick --levels --sizes 1300:2800:+300 -o cold-warm.json
carmine plot cold-warm.json --chart dram --threads 1 --per cycle --point "daxpy-openblas warm 1 thread,dgemv-openblas warm 1 thread,fft-fftw warm 1 thread,dgemm-openblas warm 1 thread" --size 800x560 -o cold-warm-roofline.png
