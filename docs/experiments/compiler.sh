# SPDX-License-Identifier: BSD-3-Clause
# What compilers make of the report's kernels (compiler.md); compiler.c is beside this file.
carmine workload compiler.c --name "listing 2 -O0" --cflags "-O0 -DLISTING=2" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 2 -O0 register" --cflags "-O0 -DLISTING=2 -DREGISTER" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 2 -O0 volatile" --cflags "-O0 -DLISTING=2 -DVOLATILE" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 2 -O1" --cflags "-O1 -DLISTING=2" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 2 -O2 volatile" --cflags "-O2 -DLISTING=2 -DVOLATILE" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 2 -O3 volatile register" --cflags "-O3 -DLISTING=2 -DVOLATILE -DREGISTER" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine plot compiler.json --per cycle --threads 1 --size 800x560 -o compiler-product.png
carmine workload compiler.c --name "listing 3 -O0" --cflags "-O0 -DLISTING=3" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 3 -O2 scalar" --cflags "-O2 -fno-tree-vectorize -mavx -mfma -DLISTING=3" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 3 -Ofast" --cflags "-Ofast -mavx -mfma -DLISTING=3" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 4 -O0" --cflags "-O0 -DLISTING=4" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 4 -O2 without FMA" --cflags "-O2 -fno-tree-vectorize -DLISTING=4" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 4 -O2 scalar" --cflags "-O2 -fno-tree-vectorize -mavx -mfma -DLISTING=4" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 4 -Ofast" --cflags "-Ofast -mavx -mfma -DLISTING=4" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 6 -O0" --cflags "-O0 -DLISTING=6" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 6 -O2 scalar" --cflags "-O2 -fno-tree-vectorize -mavx -mfma -DLISTING=6" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 6 -O3" --cflags "-O3 -mavx -mfma -DLISTING=6" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 6 -Ofast" --cflags "-Ofast -mavx -mfma -DLISTING=6" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 7 -O0" --cflags "-O0 -DLISTING=7" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 7 -O2 scalar" --cflags "-O2 -fno-tree-vectorize -mavx -mfma -DLISTING=7" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 7 -O3" --cflags "-O3 -mavx -mfma -DLISTING=7" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine workload compiler.c --name "listing 7 -Ofast" --cflags "-Ofast -mavx -mfma -DLISTING=7" --sizes 1000 --state warm --quick --statistic min-of-10 --annotate -o compiler.json
carmine plot compiler.json --point "listing 4 -O0,listing 4 -O2 scalar,listing 4 -Ofast,listing 6 -O0,listing 6 -O2 scalar,listing 6 -O3,listing 6 -Ofast,listing 7 -O2 scalar,listing 7 -O3" --per cycle --threads 1 --size 800x560 -o compiler-vectors.png
