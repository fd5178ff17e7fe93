# SPDX-License-Identifier: BSD-3-Clause
# Traffic and TLB misses by size, measured in caches of 1 MiB and by theory: matrix products and Fourier transforms (theory.md).
carmine workload dgemm-triple,dgemm-blocked --quick --repeat 1 --levels=L2=128K:8,L3=896K:14 --sizes 50:550:+50 -o theory.json
carmine workload fft-radix2,fft-split,fft-fftw --quick --repeat 1 --levels=L2=128K:8,L3=896K:14 --sizes 2^6..2^20 -o theory.json
carmine plot theory.json --chart intensity --of dram --point dgemm-triple,dgemm-blocked --size 800x560 -o theory-dgemm.png
carmine plot theory.json --chart tlb --of first --point dgemm-triple,dgemm-blocked --size 800x560 -o theory-tlb.png
carmine plot theory.json --chart intensity --of dram --point fft-radix2,fft-split,fft-fftw --size 800x560 -o theory-fft.png
