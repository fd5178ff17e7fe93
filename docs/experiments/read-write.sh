# SPDX-License-Identifier: BSD-3-Clause
# Rooflines over what is read alone, and over what is written alone (read-write.md).
carmine workload daxpy --quick --sizes 40K,280K,1090K --simulate -o read-write.json
carmine workload dgemv --quick --sizes 100,400,1000 --simulate -o read-write.json
carmine workload fft-fftw --quick --sizes 2^10,2^13,2^16 --simulate -o read-write.json
carmine workload dgemm-scalar-replacement --quick --sizes 50,100,200 --simulate -o read-write.json
carmine plot read-write.json --chart dram --per cycle --size 800x560 -o read-write-both.png
carmine plot read-write.json --chart read --of dram --per cycle --size 800x560 -o read-write-read.png
carmine plot read-write.json --chart write --of dram --per cycle --size 800x560 -o read-write-write.png
