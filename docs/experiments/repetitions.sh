# SPDX-License-Identifier: BSD-3-Clause
# A hundred repetitions each: how times lie, and what the least of ten makes of them (repetitions.md).
carmine workload read,write,triad --quick --repeat 100 --sizes 64K,512K,4M -o repetitions.json
carmine workload add,mul --quick --repeat 100 --data warm --sizes 10K,100K,1M,10M -o repetitions.json
carmine plot repetitions.json --chart distribution --of spread --point read,write,triad --working-set --size 800x480 -o repetitions-memory.png
carmine plot repetitions.json --chart distribution --of spread --point add,mul --size 800x480 -o repetitions-registers.png
carmine workload read,write --quick --repeat 100 --statistic min-of-10 --sizes 512K,4M -o repetitions-least.json
carmine plot repetitions-least.json --chart distribution --of spread --working-set --size 800x480 -o repetitions-least.png
carmine plot repetitions.json --chart histogram --point "triad 64000,triad 512000,triad 4000000,add warm 10000,add warm 1000000" --size 800x480 -o repetitions-histogram.png
