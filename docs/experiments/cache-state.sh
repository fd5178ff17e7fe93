# SPDX-License-Identifier: BSD-3-Clause
# A Fourier transform from four initial states of the caches, and with an empty TLB (cache-state.md).
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --data cold --code cold -o cache-state.json
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --data cold --code warm -o cache-state.json
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --data warm --code cold -o cache-state.json
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --data warm --code warm -o cache-state.json
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --data warm --code warm --tlb cold -o cache-state.json
carmine plot cache-state.json --chart performance --per cycle --size 800x480 -o cache-state-performance.png
