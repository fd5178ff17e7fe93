# SPDX-License-Identifier: BSD-3-Clause
# Fourier transforms by flop and by pseudo-flop, with cold and with warm data (fft.md).
carmine workload fft-radix2 --quick --repeat 10 --sizes 2^5,2^8,2^11,2^14,2^17,2^20 -o fft.json
carmine workload fft-fftw --quick --repeat 10 --sizes 2^5,2^8,2^11,2^14,2^17,2^20 -o fft.json
carmine plot fft.json --per cycle --size 800x560 -o fft-cold.png
carmine plot fft.json --per cycle --pseudo-flop --size 800x560 -o fft-cold-pseudo.png
carmine workload fft-radix2 --quick --repeat 10 --sizes 2^5,2^8,2^11,2^14,2^17,2^20 --data warm -o fft.json
carmine workload fft-fftw --quick --repeat 10 --sizes 2^5,2^8,2^11,2^14,2^17,2^20 --data warm -o fft.json
carmine plot fft.json --chart performance --pseudo-flop --per cycle --size 800x480 -o fft-performance-pseudo.png
