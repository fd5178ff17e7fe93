# SPDX-License-Identifier: BSD-3-Clause
# After repetitions: its kernels again, two instances at once, one on each core (instances.md).
carmine workload read,write,triad --quick --repeat 100 --threads 2 --sizes 2K,128K,8M -o instances.json
carmine workload add --quick --repeat 100 --state warm --threads 2 --sizes 2K,20K,200K,2M,20M -o instances.json
carmine plot instances.json --chart distribution --of time --point "read cold 1 thread,read cold 2 threads" --add working-set --size 800x480 -o instances-read.png
carmine plot instances.json --chart distribution --of time --point "write cold 1 thread,write cold 2 threads" --add working-set --size 800x480 -o instances-write.png
carmine plot instances.json --chart distribution --of time --point "triad cold 1 thread,triad cold 2 threads" --add working-set --size 800x480 -o instances-triad.png
carmine plot instances.json --chart distribution --of spread --point "read cold 2 threads,write cold 2 threads,triad cold 2 threads" --add working-set --size 800x480 -o instances-spread.png
carmine plot instances.json --chart distribution --of time --point "add warm 1 thread,add warm 2 threads" --size 800x480 -o instances-add.png
carmine workload read --quick --repeat 100 --threads 2 --statistic min-of-10 --sizes 2K,128K,8M -o instances-least.json
carmine workload add --quick --repeat 100 --state warm --threads 2 --statistic min-of-10 --sizes 2K,20K,200K,2M,20M -o instances-least.json
carmine workload read,write,write-stream,triad --quick --repeat 1 --levels=exact,L1=32K:8,L2=2M:8,L3=none --state write-back-left-out --sizes 4K,64K,256K,1024K -o instances-traffic.json
carmine workload read,write,write-stream,triad --quick --repeat 1 --threads 2 --levels=exact,L1=32K:8,L2=2M:8,L3=none --state write-back-left-out --sizes 8K,128K,512K,2048K -o instances-traffic.json
