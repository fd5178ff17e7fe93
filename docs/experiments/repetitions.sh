# SPDX-License-Identifier: BSD-3-Clause
# A hundred repetitions each: how times lie, and what the least of ten makes of them (repetitions.md).
carmine workload read,write,triad --quick --repeat 100 --sizes 1K,64K,4M -o repetitions.json
carmine workload add,mul --quick --repeat 100 --state warm --sizes 1K,10K,100K,1M,10M -o repetitions.json
carmine workload add --quick --repeat 100 --state code-cold --sizes 1K,10K,100K,1M,10M -o repetitions.json
carmine plot repetitions.json --chart distribution --of time --point "read cold 1 thread,write,triad" --add working-set --size 800x480 -o repetitions-memory-time.png
carmine plot repetitions.json --chart distribution --of spread --point "read cold 1 thread,write,triad" --add working-set --size 800x480 -o repetitions-memory.png
carmine plot repetitions.json --chart distribution --of time --point "add warm 1 thread,mul" --size 800x480 -o repetitions-registers-time.png
carmine plot repetitions.json --chart distribution --of spread --point "add warm 1 thread,mul" --size 800x480 -o repetitions-registers.png
carmine plot repetitions.json --chart distribution --of spread --point "add cold code-cold 1 thread" --size 800x480 -o repetitions-once.png
carmine workload read,write --quick --repeat 100 --statistic min-of-10 --sizes 1K,64K,4M -o repetitions-least.json
carmine workload add,mul --quick --repeat 100 --state warm --statistic min-of-10 --sizes 1K,10K,100K,1M,10M -o repetitions-least.json
carmine plot repetitions-least.json --chart distribution --of spread --point read,write --add working-set --size 800x480 -o repetitions-least.png
carmine plot repetitions.json --chart histogram --point "triad 1000,triad 64000,triad 4000000,add warm 10000,add warm 1000000" --size 800x480 -o repetitions-histogram.png
