# SPDX-License-Identifier: BSD-3-Clause
# Rooflines over what is read alone, and over what is written alone (read-write.md).
# After dgemm: that has all points, and nothing is measured here.
carmine plot read-write.json --chart read --of dram --threads 1 --per cycle --add unjoined --point "daxpy-openblas cold 1 thread,dgemv-openblas cold 1 thread,fft-fftw cold 1 thread,dgemm-openblas cold 1 thread,dgemm-triple cold 1 thread" --size 800x560 -o read-write-read.png
carmine plot read-write.json --chart write --of dram --threads 1 --per cycle --add unjoined --point "daxpy-openblas cold 1 thread,dgemv-openblas cold 1 thread,fft-fftw cold 1 thread,dgemm-openblas cold 1 thread,dgemm-triple cold 1 thread" --size 800x560 -o read-write-write.png
