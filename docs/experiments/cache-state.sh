# SPDX-License-Identifier: BSD-3-Clause
# A Fourier transform from four initial states of the caches, and with an empty TLB (cache-state.md).
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --state cold,code-cold --levels=L1=32K:8,L2=2M:8,L3=none -o cache-state.json
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --state cold,code-warm --levels=L1=32K:8,L2=2M:8,L3=none -o cache-state.json
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --state warm,code-cold --levels=L1=32K:8,L2=2M:8,L3=none -o cache-state.json
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --state warm,code-warm --levels=L1=32K:8,L2=2M:8,L3=none -o cache-state.json
carmine workload fft-fftw --quick --sizes 2^6..2^18 --repeat 10 --state warm,code-warm,tlb-cold -o cache-state.json
carmine plot cache-state.json --chart dram --threads 1 --add joined --point "fft-fftw cold code-cold 1 thread,fft-fftw cold 1 thread,fft-fftw warm code-cold 1 thread,fft-fftw warm 1 thread" --size 960x640 -o cache-state-roofline.png
carmine plot cache-state.json --chart performance --per cycle --size 800x480 -o cache-state-performance.png
