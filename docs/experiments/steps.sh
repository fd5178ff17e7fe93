# SPDX-License-Identifier: BSD-3-Clause
# One stencil made faster in five steps, by what binds each: examples/plate.c (steps.md).
carmine app --repeat 10 --levels --all --name plate -o steps.json -- ../examples/plate
carmine plot steps.json --chart levels --threads 1 -o steps-levels.png
carmine plot steps.json --chart time -o steps-time.png
