# SPDX-License-Identifier: BSD-3-Clause
# Rooflines by what is read alone and by what is written alone (read-write.md).
carmine workload daxpy --quick --sizes 40K,280K,1090K --simulate --llc 256Ki -o read-write.json
carmine workload dgemv --quick --sizes 100,400,1000 --simulate --llc 256Ki -o read-write.json
carmine workload fft-fftw --quick --sizes 2^10,2^13,2^16 --simulate --llc 256Ki -o read-write.json
carmine workload dgemm-scalar-replacement --quick --sizes 50,100,200 --simulate --llc 256Ki -o read-write.json
carmine plot read-write.json --chart read --of dram --per-cycle --size 800x560 -o read-write-read.png
carmine plot read-write.json --chart write --of dram --per-cycle --size 800x560 -o read-write-write.png
