# SPDX-License-Identifier: BSD-3-Clause
# BLAS 1 to 3 and a Fourier transform by one thread and by all, and other libraries' BLAS, over DRAM traffic (threads.md).
carmine workload daxpy-openblas --levels --sizes 10K,40K,130K,280K,490K,760K,1090K,1480K,1930K,2440K -o threads.json
carmine workload daxpy-openblas --threads all --levels=repeat=3 --sizes 10K,40K,130K,280K,490K,760K,1090K,1480K,1930K,2440K -o threads.json
carmine workload dgemv-openblas --levels --sizes 100:2800:+300 -o threads.json
carmine workload dgemv-openblas --threads all --levels=repeat=3 --sizes 100:2800:+300 -o threads.json
carmine workload fft-fftw --quick --levels --sizes 2^5..2^22 -o threads.json
carmine workload fft-fftw --threads all --quick --levels=repeat=3 --sizes 2^5..2^17 -o threads.json
carmine workload fft-fftw --threads all --quick --levels --sizes 2^18..2^22 -o threads.json
carmine workload dgemm-openblas --levels --sizes 100:1000:+300 -o threads.json
carmine workload dgemm-openblas --threads all --levels=repeat=3 --sizes 100:1000:+300 -o threads.json
carmine workload dgemm-openblas --threads 1,all --quick --levels --sizes 1300:2800:+300 -o threads.json
carmine plot threads.json --chart dram --threads 1 --per cycle --size 800x560 -o threads-one.png
carmine plot threads.json --chart dram --threads all --per cycle --size 800x560 -o threads-all.png
carmine workload daxpy-blis --quick --levels --sizes 10K,40K,130K,280K,490K,760K,1090K,1480K,1930K,2440K -o threads.json
carmine workload daxpy-reference --quick --levels --sizes 10K,40K,130K,280K,490K,760K,1090K,1480K,1930K,2440K -o threads.json
carmine workload dgemv-blis --quick --levels --sizes 100:2800:+300 -o threads.json
carmine workload dgemv-reference --quick --levels --sizes 100:2800:+300 -o threads.json
carmine plot threads.json --chart dram --threads 1 --per cycle --add unjoined --point "daxpy-openblas,daxpy-blis,daxpy-reference,dgemv-openblas,dgemv-blis,dgemv-reference" --size 800x560 -o threads-libraries.png
