# SPDX-License-Identifier: BSD-3-Clause
# A Walsh-Hadamard transform with cold and with warm data; its traffic in the four states of caches of 2 MiB (wht.md).
carmine workload wht --quick --sizes 2^8..2^22 --repeat 10 --state cold -o wht.json
carmine workload wht --quick --sizes 2^8..2^22 --repeat 10 --state warm -o wht.json
carmine plot wht.json --per cycle --size 800x560 -o wht-roofline.png
carmine plot wht.json --chart performance --per cycle --size 800x480 -o wht-performance.png
carmine workload wht --quick --state cold,code-cold --levels=L2=256K:8,L3=1792K:14 --sizes 2^8..2^20 --repeat 10 -o wht.json
carmine workload wht --quick --state cold,code-warm --levels=L2=256K:8,L3=1792K:14 --sizes 2^8..2^20 --repeat 10 -o wht.json
carmine workload wht --quick --state warm,code-cold --levels=L2=256K:8,L3=1792K:14 --sizes 2^8..2^20 --repeat 10 -o wht.json
carmine workload wht --quick --state warm,code-warm --levels=L2=256K:8,L3=1792K:14 --sizes 2^8..2^20 --repeat 10 -o wht.json
carmine plot wht.json --chart intensity --of dram --size 800x560 -o wht-intensity.png
carmine plot wht.json --chart dram --per cycle --point "wht warm 1 thread,wht warm code-cold 1 thread" --size 800x560 -o wht-warm.png
