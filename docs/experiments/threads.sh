# SPDX-License-Identifier: BSD-3-Clause
# BLAS 1 to 3 and a Fourier transform by one thread, then by all (threads.md).
carmine workload daxpy --quick --sizes 10K,130K,490K,1090K,2440K -o threads.json
carmine workload dgemv --quick --sizes 100,700,1300,2800 -o threads.json
carmine workload fft-fftw --quick --sizes 2^6,2^10,2^14,2^18 -o threads.json
carmine workload dgemm-openblas --quick --sizes 100,400,700,1300 -o threads.json
carmine plot threads.json --per cycle --size 800x560 -o threads-one.png
carmine workload daxpy --threads all --quick --sizes 10K,130K,490K,1090K,2440K -o threads.json
carmine workload dgemv --threads all --quick --sizes 100,700,1300,2800 -o threads.json
carmine workload fft-fftw --threads all --quick --sizes 2^6,2^10,2^14,2^18 -o threads.json
carmine workload dgemm-openblas --threads all --quick --sizes 100,400,700,1300 -o threads.json
carmine plot threads.json --per cycle --size 800x560 -o threads-all.png
