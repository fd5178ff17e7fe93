# SPDX-License-Identifier: BSD-3-Clause
# What is counted against what theory says, as a table and as a picture (validation.md).
carmine workload --validate
carmine workload daxpy --quick --repeat 3 --sizes 10K:90K:+20K --simulate --llc 2Mi -o validation.json
carmine workload dgemv --quick --repeat 3 --sizes 100:500:+100 --simulate --llc 2Mi -o validation.json
carmine workload dgemm-scalar-replacement --quick --repeat 3 --sizes 50:250:+50 --simulate --llc 2Mi -o validation.json
carmine plot validation.json --chart ratio --of dram --working-set --size 800x480 -o validation-dram.png
