# SPDX-License-Identifier: BSD-3-Clause
# Four kinds of Fourier transform, by flop and by pseudo-flop, with cold and with warm data, over DRAM traffic (fft.md).
# After cold-warm: that has FFTW's, cold and warm.
carmine workload fft-radix2,fft-split,fft-fftw-scalar --quick --levels --sizes 2^5..2^22 -o fft.json
carmine workload fft-radix2,fft-split,fft-fftw-scalar --state warm --levels --sizes 2^5..2^17 -o fft.json
carmine workload fft-radix2,fft-split,fft-fftw-scalar --state warm --quick --levels --sizes 2^18..2^22 -o fft.json
carmine plot fft.json --chart dram --threads 1 --per cycle --add unjoined --point "fft-radix2 cold 1 thread,fft-split cold 1 thread,fft-fftw-scalar cold 1 thread,fft-fftw cold 1 thread" --size 800x560 -o fft-cold.png
carmine plot fft.json --chart dram --threads 1 --per cycle --add unjoined,pseudo-flop --point "fft-radix2 cold 1 thread,fft-split cold 1 thread,fft-fftw-scalar cold 1 thread,fft-fftw cold 1 thread" --size 800x560 -o fft-cold-pseudo.png
carmine plot fft.json --chart dram --threads 1 --per cycle --add unjoined --point "fft-radix2 warm 1 thread,fft-split warm 1 thread,fft-fftw-scalar warm 1 thread,fft-fftw warm 1 thread" --size 800x560 -o fft-warm.png
carmine plot fft.json --chart dram --threads 1 --per cycle --add unjoined,pseudo-flop --point "fft-radix2 warm 1 thread,fft-split warm 1 thread,fft-fftw-scalar warm 1 thread,fft-fftw warm 1 thread" --size 800x560 -o fft-warm-pseudo.png
