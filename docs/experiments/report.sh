# SPDX-License-Identifier: BSD-3-Clause
# The roofline of the report's processor, from its data sheet and its listing of STREAM (report.md, report-listing1.txt). Nothing is measured.
carmine import stream report-listing1.txt --machine i5-4210U --peak 86.4e9 --threads 2 -o report-i5-4210U.json
carmine plot report-i5-4210U.json --roof triad --size 800x560 -o report-roofline.png
