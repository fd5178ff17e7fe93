# SPDX-License-Identifier: BSD-3-Clause
# A Walsh-Hadamard transform with cold and with warm data (wht.md).
carmine workload wht --quick --sizes 2^8..2^22 --repeat 10 --data cold -o wht.json
carmine workload wht --quick --sizes 2^8..2^22 --repeat 10 --data warm -o wht.json
carmine plot wht.json --per cycle --size 800x560 -o wht-roofline.png
carmine plot wht.json --chart performance --per cycle --size 800x480 -o wht-performance.png
