# SPDX-License-Identifier: BSD-3-Clause
# What is counted against what theory says, as the paper's table IV (validation.md).
carmine workload --validate daxpy --sizes 20K:100K:+20K --simulate --llc 2Mi
carmine workload --validate dgemv --sizes 200:500:+100 --simulate --llc 2Mi
carmine workload --validate dgemm-triple --sizes 100:250:+50 --simulate --llc 2Mi
carmine workload --validate dgemm-openblas --sizes 200:600:+100
carmine workload daxpy --quick --repeat 3 --sizes 20K:100K:+20K --simulate --llc 2Mi -o validation.json
carmine workload dgemv --quick --repeat 3 --sizes 200:500:+100 --simulate --llc 2Mi -o validation.json
carmine workload dgemm-triple --quick --repeat 3 --sizes 100:250:+50 --simulate --llc 2Mi -o validation.json
carmine plot validation.json --chart ratio --of dram --working-set --size 800x480 -o validation-dram.png
