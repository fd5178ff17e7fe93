/* SPDX-License-Identifier: BSD-3-Clause
 * Servers of 2017 to 2026: memory channels and rates, and 512-bit FMA units. Only models that the vendor lists: those
 * of cloud providers ("8488C") are in no public list. A model whose rate no source gives is left out. */
#include "probe/product.h"

#define XEON "Intel(R) Xeon(R)"
#define ARK  "Intel ARK, memory specifications of each model"
#define EPYC "AMD EPYC"
#define AMD  "AMD, product specifications of each model"

static const struct product ROWS[] = {
    /* Skylake-SP */
    {XEON " Platinum", "8153 8156 8158 8160 8160F 8160M 8160T 8164 8168 8170 8170M 8176 8176F 8176M 8180 8180M", 6,
     2.666e9, "DDR4-2666", ARK},
    {XEON " Gold",
     "5122 6126 6126F 6126T 6128 6130 6130F 6130T 6132 6134 6134M 6136 6138 6138F 6138T 6140 6140M 6142 6142F 6142M "
     "6144 6146 6148 6148F 6150 6152 6154",
     6, 2.666e9, "DDR4-2666", ARK},
    {XEON " Gold", "5115 5118 5119T 5120 5120T", 6, 2.4e9, "DDR4-2400", ARK},
    {XEON " Silver", "4108 4109T 4110 4112 4114 4114T 4116 4116T", 6, 2.4e9, "DDR4-2400", ARK},
    {XEON " Bronze", "3104 3106", 6, 2.133e9, "DDR4-2133", ARK},
    /* Cascade Lake */
    {XEON " Platinum", "9221 9222 9242 9282", 12, 2.933e9, "DDR4-2933", ARK},
    {XEON " Platinum", "8253 8256 8260 8260L 8260M 8260Y 8268 8270 8276 8276L 8276M 8280 8280L 8280M", 6, 2.933e9,
     "DDR4-2933", ARK},
    {XEON " Gold",
     "5222 6208U 6209U 6210U 6212U 6226 6226R 6230 6230N 6230R 6230T 6234 6238 6238L 6238M 6238R 6238T 6240 6240L "
     "6240M "
     "6240R 6240Y 6242 6242R 6244 6246 6246R 6248 6248R 6250 6250L 6252 6252N 6254 6256 6258R",
     6, 2.933e9, "DDR4-2933", ARK},
    {XEON " Gold", "5215 5215L 5215M 5217 5218 5218B 5218N 5218R 5218T 5220 5220R 5220S 5220T", 6, 2.666e9, "DDR4-2666",
     ARK},
    {XEON " Gold", "6222V 6262V", 6, 2.4e9, "DDR4-2400", ARK},
    {XEON " Silver", "4208 4209T 4210 4210R 4210T 4214 4214R 4214Y 4215 4215R 4216", 6, 2.4e9, "DDR4-2400", ARK},
    {XEON " Bronze", "3204 3206R", 6, 2.133e9, "DDR4-2133", ARK},
    /* Ice Lake-SP */
    {XEON " Platinum", "8352M 8352S 8352Y 8358 8358P 8360Y 8362 8368 8368Q 8380", 8, 3.2e9, "DDR4-3200", ARK},
    {XEON " Gold", "6312U 6314U 6326 6334 6336Y 6338 6338T 6342 6346 6348 6354", 8, 3.2e9, "DDR4-3200", ARK},
    {XEON " Platinum", "8352V", 8, 2.933e9, "DDR4-2933", ARK},
    {XEON " Gold", "5315Y 5317 5318S 5318Y 5320 5320T 6330", 8, 2.933e9, "DDR4-2933", ARK},
    {XEON " Gold", "6330N 6338N", 8, 2.666e9, "DDR4-2666", ARK},
    {XEON " Silver", "4309Y 4310 4310T 4314 4316", 8, 2.666e9, "DDR4-2666", ARK},
    /* Sapphire Rapids; the Max series has 64 GB of HBM beside its DRAM */
    {XEON " Platinum", "8444H 8450H 8454H 8458P 8460H 8460Y+ 8462Y+ 8468 8468H 8468V 8470 8470Q 8480+ 8490H", 8, 4.8e9,
     "DDR5-4800", ARK},
    {XEON " Gold", "6414U 6416H 6418H 6426Y 6434 6434H 6438M 6438Y+ 6442Y 6444Y 6448H 6448Y 6454S 6458Q", 8, 4.8e9,
     "DDR5-4800", ARK},
    {XEON " Gold", "5411N 5412U 5415+ 5416S 5418Y 5420+ 6430", 8, 4.4e9, "DDR5-4400", ARK},
    {XEON " Silver", "4410T 4410Y 4416+", 8, 4e9, "DDR5-4000", ARK},
    {XEON " Bronze", "3408U", 8, 4e9, "DDR5-4000", ARK},
    {"Intel(R) Xeon(R) CPU Max", "9460 9462 9468 9470 9480", 8, 4.8e9, "DDR5-4800", ARK},
    /* Emerald Rapids */
    {XEON " Platinum", "8558P 8562Y+ 8568Y+ 8580 8592+", 8, 5.6e9, "DDR5-5600", ARK},
    {XEON " Platinum", "8558", 8, 5.2e9, "DDR5-5200", ARK},
    {XEON " Platinum", "8558U 8592V", 8, 4.8e9, "DDR5-4800", ARK},
    {XEON " Gold", "6526Y 6538N 6538Y+ 6542Y 6544Y 6548N 6548Y+ 6554S", 8, 5.2e9, "DDR5-5200", ARK},
    {XEON " Gold", "5512U 5515+ 5520+ 6530 6534", 8, 4.8e9, "DDR5-4800", ARK},
    {XEON " Silver", "4509Y 4510 4510T 4514Y 4516Y+", 8, 4.4e9, "DDR5-4400", ARK},
    {XEON " Bronze", "3508U", 8, 4.4e9, "DDR5-4400", ARK},
    /* Granite Rapids and Sierra Forest; MRDIMMs are faster: 8800 MT/s of the 6900 series, 8000 of some others */
    {XEON, "6952P 6960P 6972P 6979P 6980P", 12, 6.4e9, "DDR5-6400", ARK},
    {XEON,
     "6505P 6507P 6511P 6515P 6517P 6520P 6521P 6527P 6530P 6714P 6724P 6728P 6730P 6731P 6736P 6737P 6740P 6741P "
     "6745P "
     "6747P 6760P 6761P 6767P 6781P 6787P",
     8, 6.4e9, "DDR5-6400", ARK},
    {XEON, "6756E 6766E 6780E", 8, 6.4e9, "DDR5-6400", ARK},
    /* Rome: eight channels, but the fabric of four models carries only as much as four of DDR4-2666 */
    {EPYC, "7232P 7252 7272 7282", 4, 2.666e9, "DDR4-2666", AMD "; ServeTheHome, Rome CPUs with half memory bandwidth"},
    {EPYC,
     "7262 7302 7302P 7352 7402 7402P 7452 7502 7502P 7532 7542 7552 7642 7662 7702 7702P 7742 7F32 7F52 7F72 7H12", 8,
     3.2e9, "DDR4-3200", AMD},
    /* Milan */
    {EPYC,
     "7203 7203P 72F3 7303 7303P 7313 7313P 7343 7373X 73F3 7413 7443 7443P 7453 7473X 74F3 7513 7543 7543P 7573X 75F3 "
     "7643 7643P 7663 7663P 7713 7713P 7763 7773X",
     8, 3.2e9, "DDR4-3200", AMD},
    /* Genoa, Bergamo, Siena */
    {EPYC,
     "9124 9174F 9184X 9224 9254 9274F 9334 9354 9354P 9374F 9384X 9454 9454P 9474F 9534 9554 9554P 9634 9654 9654P "
     "9684X 9734 9754 9754S",
     12, 4.8e9, "DDR5-4800", AMD},
    {EPYC, "8024P 8024PN 8124P 8124PN 8224P 8224PN 8324P 8324PN 8434P 8434PN 8534P 8534PN", 6, 4.8e9, "DDR5-4800", AMD},
    /* Turin; DDR5-6400 on some boards */
    {EPYC,
     "9015 9115 9135 9175F 9255 9275F 9335 9355 9355P 9365 9375F 9455 9455P 9475F 9535 9555 9555P 9565 9575F 9645 9655 "
     "9655P 9745 9755 9825 9845 9965",
     12, 6e9, "DDR5-6000", AMD},
};
const struct product_list product_x86 = {ROWS, sizeof ROWS / sizeof *ROWS};

#define UNITS "Intel ARK, number of AVX-512 FMA units; McCalpin, Intel community forum, Max Flops on Skylake"

const struct product_units product_units_table[] = {
    {XEON " Bronze", "31??* 32??*", 1, UNITS}, {XEON " Silver", "41??* 42??*", 1, UNITS},
    {XEON " Gold", "5122 5222", 2, UNITS},     {XEON " Gold", "51??* 52??*", 1, UNITS},
    {XEON " Gold", "61??* 62??*", 2, UNITS},   {XEON " Platinum", "81??* 82??* 92??*", 2, UNITS},
};
const size_t product_units_count = sizeof product_units_table / sizeof product_units_table[0];
