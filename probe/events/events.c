/* SPDX-License-Identifier: BSD-3-Clause
 * Chooses a core's events, and parses formulas, the language of event files and of the table's rows. */
#include "events.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/isa.h"
#include "probe/text.h"
#include "probe/uarch.h"

/* The rows behind events.h: which events each core counts, as formulas in text. Private to events.c.
 *
 * Events by core. Intel's FP_ARITH events count instructions, an FMA as two, so a factor is the number of lanes;
 * AMD's count operations. Names are libpfm4's; a test resolves each with the installed libpfm4's tables. An event
 * without a source is left out. */

/* A core, shared by several products. */
struct event_core {
    const char *formulas[METRIC_COUNT]; /* as in a file for events_load(); NULL: the core does not count the metric */
    const char *doubts[METRIC_COUNT];   /* NULL: none */
    bool f32_like_f64;                  /* as in struct event_set */
    const char *source;
};

/* The memory controllers of a product; their events are those of uncore.h. */
struct event_memory {
    const char *read, *write;
    const char *source;
};

enum { EVENT_MAX_MODELS = 4 };

struct event_row {
    const char *pmu;                   /* libpfm4's name */
    const char *product;               /* a row of the microarchitectures, by its product's name */
    unsigned models[EVENT_MAX_MODELS]; /* only these model numbers; none: all that no earlier row lists */
    const char *stand_in;              /* NULL: none */
    bool hybrid; /* event names include the PMU's name: the CPU's other cores have different events of the same name */
    const struct event_core *core;
    const struct event_memory *memory; /* NULL: no event is cited */
};

/* clang-format off */
#define FP_256(type, lanes_128, lanes_256)                                                                             \
    "FP_ARITH_INST_RETIRED:SCALAR_" type " + FP_ARITH_INST_RETIRED:128B_PACKED_" type " * " lanes_128                  \
    " + FP_ARITH_INST_RETIRED:256B_PACKED_" type " * " lanes_256
#define F64_256 FP_256("DOUBLE", "2", "4")
#define F32_256 FP_256("SINGLE", "4", "8")
#define F64_512 F64_256 " + FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE * 8"
#define F32_512 F32_256 " + FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE * 16"
#define F16_512                                                                                                        \
    "FP_ARITH_INST_RETIRED2:SCALAR_HALF + FP_ARITH_INST_RETIRED2:COMPLEX_SCALAR_HALF * 2"                              \
    " + FP_ARITH_INST_RETIRED2:128B_PACKED_HALF * 8 + FP_ARITH_INST_RETIRED2:256B_PACKED_HALF * 16"                    \
    " + FP_ARITH_INST_RETIRED2:512B_PACKED_HALF * 32"

#define WIDTH_256                                                                                                      \
    "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE * 8 + FP_ARITH_INST_RETIRED:SCALAR_SINGLE * 4"                                \
    " + FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE * 16 + FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE * 16"                 \
    " + FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE * 32 + FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE * 32"
#define WIDTH_512                                                                                                      \
    WIDTH_256 " + FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE * 64 + FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE * 64"
#define WIDTH_F16                                                                                                      \
    " + FP_ARITH_INST_RETIRED2:SCALAR_HALF * 2 + FP_ARITH_INST_RETIRED2:COMPLEX_SCALAR_HALF * 4"                       \
    " + FP_ARITH_INST_RETIRED2:128B_PACKED_HALF * 16 + FP_ARITH_INST_RETIRED2:256B_PACKED_HALF * 32"                   \
    " + FP_ARITH_INST_RETIRED2:512B_PACKED_HALF * 64"

#define FLOP(f64, f32) [METRIC_F64_FLOP] = f64, [METRIC_F32_FLOP] = f32
#define FP_ARITH_256 FLOP(F64_256, F32_256), [METRIC_WIDTH_BYTES] = WIDTH_256
#define FP_ARITH_512 FLOP(F64_512, F32_512), [METRIC_WIDTH_BYTES] = WIDTH_512
#define LOADS_STORES(event)                                                                                            \
    [METRIC_LOADS] = event ":ALL_LOADS", [METRIC_STORES] = event ":ALL_STORES"
#define LOADS_STORES_BY(event) [METRIC_LOADS] = event ":LOADS", [METRIC_STORES] = event ":STORES"
/* Not the fixed counters' own names (THREAD, ANY): Linux does not know libpfm4's encoding of them. */
#define INTEL_TIME                                                                                                     \
    [METRIC_CYCLES] = "CPU_CLK_UNHALTED:THREAD_P", [METRIC_INSTRUCTIONS] = "INST_RETIRED:ANY_P"
#define INTEL_TLB [METRIC_TLB_MISSES] = "DTLB_LOAD_MISSES:WALK_COMPLETED + DTLB_STORE_MISSES:WALK_COMPLETED"
#define ZEN_TLB                                                                                                        \
    [METRIC_TLB_MISSES] = "L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS:TLB_RELOAD_COALESCED_PAGE_MISS"                          \
                          " + L1_DTLB_MISS:TLB_RELOAD_2M_L2_MISS:TLB_RELOAD_1G_L2_MISS"
#define AMD_COMMON                                                                                                     \
    [METRIC_LOADS] = "LS_DISPATCH:LD_DISPATCH:LD_ST_DISPATCH",                                                         \
    [METRIC_STORES] = "LS_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH",                                                     \
    [METRIC_CYCLES] = "CYCLES_NOT_IN_HALT", [METRIC_INSTRUCTIONS] = "RETIRED_INSTRUCTIONS"
#define ZEN4_WIDTH                                                                                                     \
    [METRIC_WIDTH_BYTES] = "RETIRED_FP_OPS_BY_WIDTH:SCALAR_UOPS_RETIRED * 8"                                           \
                           " + RETIRED_FP_OPS_BY_WIDTH:PACK128_UOPS_RETIRED * 16"                                      \
                           " + RETIRED_FP_OPS_BY_WIDTH:PACK256_UOPS_RETIRED * 32"                                      \
                           " + RETIRED_FP_OPS_BY_WIDTH:PACK512_UOPS_RETIRED * 64"

static const char replays[] = "counts what was executed: operations that wait for data are counted again";
static const char no_flop[] = "the core has no event for floating-point operations";
static const char no_event[] = "no event is documented";
static const char no_width[] = "the core has no event for the width of the arithmetic, so loads and stores have no bytes";
static const char scalars[] = "f64 and f32 scalars count together: there are bytes only where vectors prevail";
static const char dispatched[] = "dispatched, not retired: mispredicted paths count too";
static const char f16_fma[] = "whether an FMA counts twice, as in f64 and f32, is not documented: calibrate";
static const char mixed[] = "f64 and f32 in one event: see any_flop";
#define DISPATCHED [METRIC_LOADS] = dispatched, [METRIC_STORES] = dispatched

static const struct event_core core2 = {
    .formulas = {
        FLOP("SIMD_COMP_INST_RETIRED:SCALAR_DOUBLE + SIMD_COMP_INST_RETIRED:PACKED_DOUBLE * 2",
             "SIMD_COMP_INST_RETIRED:SCALAR_SINGLE + SIMD_COMP_INST_RETIRED:PACKED_SINGLE * 4"),
        [METRIC_WIDTH_BYTES] = "SIMD_COMP_INST_RETIRED:SCALAR_DOUBLE * 8 + SIMD_COMP_INST_RETIRED:SCALAR_SINGLE * 4"
                               " + SIMD_COMP_INST_RETIRED:PACKED_DOUBLE * 16 + SIMD_COMP_INST_RETIRED:PACKED_SINGLE * 16",
        LOADS_STORES_BY("INST_RETIRED"),
        [METRIC_CYCLES] = "CPU_CLK_UNHALTED:CORE_P", [METRIC_INSTRUCTIONS] = "INST_RETIRED:ANY_P",
    },
    .source = "libpfm4 intel_core_events.h",
};
/* One event counts instructions of both types: the formula is right for programs with only f64, as in the paper. */
static const struct event_core westmere = {
    .formulas = {
        [METRIC_F64_FLOP] = "FP_COMP_OPS_EXE:SSE_FP_SCALAR + FP_COMP_OPS_EXE:SSE_FP_PACKED * 2",
        [METRIC_WIDTH_BYTES] = "FP_COMP_OPS_EXE:SSE_FP_SCALAR * 8 + FP_COMP_OPS_EXE:SSE_FP_PACKED * 16",
        LOADS_STORES_BY("MEM_INST_RETIRED"), [METRIC_TLB_MISSES] = "DTLB_MISSES:WALK_COMPLETED", INTEL_TIME,
    },
    .doubts = {[METRIC_F64_FLOP] = "f32 counts as if it were f64, and executed operations that wait for data again",
               [METRIC_F32_FLOP] = mixed, [METRIC_WIDTH_BYTES] = scalars},
    .f32_like_f64 = true,
    .source = "libpfm4 intel_wsm_events.h; flop as Ofenbeck et al., Applying the Roofline Model, III-B",
};
static const struct event_core sandy_bridge = {
    .formulas = {
        FLOP("FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE + FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE * 2 + SIMD_FP_256:PACKED_DOUBLE * 4",
             "FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE + FP_COMP_OPS_EXE:SSE_PACKED_SINGLE * 4 + SIMD_FP_256:PACKED_SINGLE * 8"),
        [METRIC_WIDTH_BYTES] =
            "FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE * 8 + FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE * 4"
            " + FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE * 16 + FP_COMP_OPS_EXE:SSE_PACKED_SINGLE * 16"
            " + SIMD_FP_256:PACKED_DOUBLE * 32 + SIMD_FP_256:PACKED_SINGLE * 32",
        LOADS_STORES("MEM_UOPS_RETIRED"), INTEL_TLB, INTEL_TIME,
    },
    .doubts = {FLOP(replays, replays)},
    .source = "libpfm4 intel_snb_events.h, intel_ivb_events.h; on replays PAPI's notes on flop of Sandy Bridge",
};
static const struct event_core haswell = {
    .formulas = {LOADS_STORES("MEM_UOPS_RETIRED"), INTEL_TLB, INTEL_TIME},
    .doubts = {FLOP(no_flop, no_flop), [METRIC_WIDTH_BYTES] = no_width},
    .source = "libpfm4 intel_hsw_events.h",
};
static const struct event_core broadwell = {
    .formulas = {FP_ARITH_256, LOADS_STORES("MEM_UOPS_RETIRED"), INTEL_TLB, INTEL_TIME},
    .source = "libpfm4 intel_bdw_events.h",
};
static const struct event_core skylake = {
    .formulas = {FP_ARITH_256, LOADS_STORES("MEM_INST_RETIRED"), INTEL_TLB, INTEL_TIME},
    .source = "libpfm4 intel_skl_events.h",
};
static const struct event_core skylake_server = {
    .formulas = {FP_ARITH_512, LOADS_STORES("MEM_INST_RETIRED"), INTEL_TLB, INTEL_TIME},
    .source = "libpfm4 intel_skl_events.h",
};
static const struct event_core ice_lake = {
    .formulas = {FP_ARITH_512, LOADS_STORES("MEM_INST_RETIRED"), INTEL_TLB, INTEL_TIME},
    .source = "libpfm4 intel_icl_events.h",
};
static const struct event_core golden_cove = {
    .formulas = {FLOP(F64_512, F32_512), [METRIC_F16_FLOP] = F16_512, [METRIC_WIDTH_BYTES] = WIDTH_512 WIDTH_F16,
        LOADS_STORES("MEM_INST_RETIRED"), INTEL_TLB, INTEL_TIME},
    .doubts = {[METRIC_F16_FLOP] = f16_fma},
    .source = "libpfm4 intel_spr_events.h, intel_gnr_events.h; f16 factors from Intel's metric FLOPc",
};
static const struct event_core golden_cove_client = {
    .formulas = {FP_ARITH_256, LOADS_STORES("MEM_INST_RETIRED"), INTEL_TLB, INTEL_TIME},
    .source = "libpfm4 4.14 intel_adl_glc_events.h",
};
static const struct event_core gracemont = {
    .formulas = {LOADS_STORES("MEM_UOPS_RETIRED"), INTEL_TIME},
    .doubts = {FLOP(no_flop, no_flop), [METRIC_WIDTH_BYTES] = no_width},
    .source = "libpfm4 4.14 intel_adl_grt_events.h",
};
static const struct event_core zen1 = {
    .formulas = {
        FLOP("RETIRED_SSE_AVX_OPERATIONS:DP_ADD_SUB_FLOPS:DP_MULT_FLOPS:DP_DIV_FLOPS:DP_MULT_ADD_FLOPS",
             "RETIRED_SSE_AVX_OPERATIONS:SP_ADD_SUB_FLOPS:SP_MULT_FLOPS:SP_DIV_FLOPS:SP_MULT_ADD_FLOPS"),
        ZEN_TLB, AMD_COMMON,
    },
    .doubts = {DISPATCHED, [METRIC_WIDTH_BYTES] = no_width},
    .source = "libpfm4 amd64_events_fam17h_zen1.h",
};
static const struct event_core zen2 = {
    .formulas = {[METRIC_ANY_FLOP] = "RETIRED_SSE_AVX_FLOPS:ANY", ZEN_TLB, AMD_COMMON},
    .doubts = {FLOP(mixed, mixed), [METRIC_ANY_FLOP] = "f64 and f32 are counted together", DISPATCHED,
               [METRIC_WIDTH_BYTES] = no_width},
    .source = "libpfm4 amd64_events_fam17h_zen2.h, amd64_events_fam19h_zen3.h",
};
static const struct event_core zen4 = {
    .formulas = {[METRIC_ANY_FLOP] = "RETIRED_SSE_AVX_FLOPS:ANY", ZEN4_WIDTH, ZEN_TLB, AMD_COMMON},
    .doubts = {FLOP(mixed, mixed), [METRIC_ANY_FLOP] = "f64, f32 and bf16 are counted together", DISPATCHED,
               [METRIC_WIDTH_BYTES] = scalars},
    .f32_like_f64 = true,
    .source = "libpfm4 amd64_events_fam19h_zen4.h; Linux amdzen4 floating-point.json, load-store.json",
};
/* Not ANY: in Zen 4's tables, which stand in, that has a bit of bf16 that Zen 5 uses otherwise. Not the flop of one type
 * either: likwid and libpfm4 select it by 0x8f and 0xaf (0x2f is bf16), Linux by 0x80 and 0xa0. On 0x0f, all operations
 * of all types, they agree. */
static const struct event_core zen5 = {
    .formulas = {
        [METRIC_ANY_FLOP] = "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS:MULT_FLOPS:DIV_FLOPS:MAC_FLOPS",
        ZEN4_WIDTH, ZEN_TLB, AMD_COMMON,
    },
    .doubts = {FLOP(mixed, mixed),
               [METRIC_ANY_FLOP] = "f64, f32 and bf16 count together; sources disagree on bf16's FMA: calibrate",
               DISPATCHED, [METRIC_WIDTH_BYTES] = scalars},
    .f32_like_f64 = true,
    .source = "Linux amdzen5 floating-point.json, load-store.json; libpfm4 4.14 amd64_events_fam1ah_zen5.h; likwid "
              "perfmon_zen5_events.txt",
};

#define ARM_COMMON                                                                                                     \
    [METRIC_LOADS] = "LD_SPEC", [METRIC_STORES] = "ST_SPEC", [METRIC_CYCLES] = "CPU_CYCLES",                           \
    [METRIC_INSTRUCTIONS] = "INST_RETIRED"
#define ARM_FLOP(of) "FP_" of "SCALE_OPS_SPEC * sve + FP_" of "FIXED_OPS_SPEC"
#define NEON_WIDTH   "VFP_SPEC * 8 + ASE_SPEC * 16"
static const char pairs[] = "executed, not retired; an LDP or STP of two registers is one: bytes are too few";
static const char executed[] = "f64, f32 and f16 together, as executed; lanes that a predicate masks count too";
static const char masked[] = "lanes that a predicate masks count too";

/* VFP_SPEC and ASE_SPEC are instructions, which do not tell their lanes. */
#define ARM_DOUBTS [METRIC_LOADS] = pairs, [METRIC_STORES] = pairs, [METRIC_WIDTH_BYTES] = scalars
#define ARM_WITHOUT_FLOP(tlb_misses)                                                                                   \
    .formulas = {ARM_COMMON, [METRIC_TLB_MISSES] = tlb_misses, [METRIC_WIDTH_BYTES] = NEON_WIDTH},                     \
    .doubts = {FLOP(no_flop, no_flop), ARM_DOUBTS}, .f32_like_f64 = true
static const struct event_core neoverse_n1 = {
    ARM_WITHOUT_FLOP("DTLB_WALK"),
    .source = "libpfm4 arm_neoverse_n1_events.h, arm_hisilicon_kunpeng_events.h; Linux cortex-a76, ampereone "
              "instruction.json",
};
static const struct event_core thunderx2 = {
    ARM_WITHOUT_FLOP("L2D_TLB_REFILL"),
    .source = "libpfm4 arm_cavium_tx2_events.h",
};
static const struct event_core cortex_a72 = {
    ARM_WITHOUT_FLOP(NULL),
    .source = "Linux cortex-a57-a72 instruction.json",
};
/* SVE_INST_SPEC has SVE's loads and stores too, all as wide as the arithmetic. */
static const struct event_core neoverse_v1 = {
    .formulas = {[METRIC_ANY_FLOP] = ARM_FLOP(""), ARM_COMMON, [METRIC_TLB_MISSES] = "DTLB_WALK",
                 [METRIC_WIDTH_BYTES] = NEON_WIDTH " + SVE_INST_SPEC * 16 * sve"},
    .doubts = {FLOP(mixed, mixed), [METRIC_ANY_FLOP] = executed, ARM_DOUBTS},
    .f32_like_f64 = true,
    .source = "libpfm4 arm_neoverse_v1_events.h and those of n2, v2, n3, v3; Linux cortex-a710, cortex-x2 "
              "instruction.json; Arm ARM, D14.5.7",
};
static const struct event_core a64fx = {
    .formulas = {FLOP(ARM_FLOP("DP_"), ARM_FLOP("SP_")), [METRIC_F16_FLOP] = ARM_FLOP("HP_"), ARM_COMMON,
                 [METRIC_TLB_MISSES] = "L2D_TLB_REFILL",
                 [METRIC_WIDTH_BYTES] = NEON_WIDTH " + SVE_INST_RETIRED * 16 * sve"},
    .doubts = {FLOP(masked, masked), [METRIC_F16_FLOP] = masked, [METRIC_WIDTH_BYTES] = scalars},
    .f32_like_f64 = true,
    .source = "libpfm4 arm_fujitsu_a64fx_events.h",
};
/* Linux's driver numbers more events, found by experiment; libpfm4 has none. */
static const struct event_core apple_m1 = {
    .formulas = {[METRIC_CYCLES] = "perf::CYCLES", [METRIC_INSTRUCTIONS] = "perf::INSTRUCTIONS"},
    .doubts = {FLOP(no_flop, no_flop), [METRIC_LOADS] = no_event, [METRIC_STORES] = no_event,
               [METRIC_WIDTH_BYTES] = no_width},
    .source = "Linux apple_m1_cpu_pmu.c",
};

static const char preset[] = "PAPI's definition for the core that it detects";
/* For CPUs without a row. */
static const struct event_core event_presets = {
    .formulas = {
        FLOP("PAPI_DP_OPS", "PAPI_SP_OPS"),
        [METRIC_LOADS] = "PAPI_LD_INS", [METRIC_STORES] = "PAPI_SR_INS",
        [METRIC_TLB_MISSES] = "PAPI_TLB_DM", [METRIC_CYCLES] = "PAPI_TOT_CYC", [METRIC_INSTRUCTIONS] = "PAPI_TOT_INS",
    },
    .doubts = {FLOP(preset, preset), [METRIC_LOADS] = preset, [METRIC_STORES] = preset,
               [METRIC_TLB_MISSES] = preset, [METRIC_WIDTH_BYTES] = no_width},
    .source = "PAPI's presets",
};

/* A CAS command moves 64 bytes. Reads include prefetches and write-allocation. */
static const struct event_memory memory_wsm = {
    "uncore/event=0x2c,umask=0x0f/ * 64", "uncore/event=0x2f,umask=0x0f/ * 64",
    "Linux uncore_snb.c, qmc_normal_reads_any, qmc_writes_full_any",
};
static const struct event_memory memory_snb_ep = {
    "uncore_imc/event=0x04,umask=0x03/ * 64", "uncore_imc/event=0x04,umask=0x0c/ * 64",
    "Linux uncore_snbep.c; libpfm4 UNC_M_CAS_COUNT",
};
static const struct event_memory memory_icx = {
    "uncore_imc/event=0x04,umask=0x0f/ * 64", "uncore_imc/event=0x04,umask=0x30/ * 64",
    "Intel's Ice Lake-SP uncore manual, section 2.4.7; Linux uncore_snbep.c",
};
static const struct event_memory memory_spr = {
    "uncore_imc/event=0x05,umask=0xcf/ * 64", "uncore_imc/event=0x05,umask=0xf0/ * 64",
    "Linux uncore_snbep.c",
};
/* Two sub-channels; Linux's own event, cas_count_read, may cover only the first. */
static const struct event_memory memory_gnr = {
    "uncore_imc/event=0x05,umask=0xcf/ * 64 + uncore_imc/event=0x06,umask=0xcf/ * 64",
    "uncore_imc/event=0x05,umask=0xf0/ * 64 + uncore_imc/event=0x06,umask=0xf0/ * 64",
    "libpfm4 4.14 intel_gnr_unc_imc_events.h, UNC_M_CAS_COUNT_SCH0 and SCH1; Linux uncore_snbep.c",
};
static const struct event_memory memory_client = {
    "uncore_imc/data_reads/ * 64", "uncore_imc/data_writes/ * 64",
    "Linux uncore_snb.c",
};
static const struct event_memory memory_free_running = {
    "uncore_imc_free_running/data_read/ * 64", "uncore_imc_free_running/data_write/ * 64",
    "Linux uncore_snb.c",
};
static const struct event_memory memory_zen4 = {
    "amd_umc/event=0x0a,rdwrmask=0x1/ * 64", "amd_umc/event=0x0a,rdwrmask=0x2/ * 64",
    "Linux amdzen4 and amdzen5 memory-controller.json, umc_cas_cmd",
};

static const struct event_row event_rows[] = {
    {.pmu = "core", .product = "Core 2", .core = &core2},
    {.pmu = "wsm_dp", .product = "Westmere", .models = {44}, .core = &westmere, .memory = &memory_wsm},
    {.pmu = "wsm", .product = "Westmere", .core = &westmere, .memory = &memory_wsm},
    {.pmu = "snb_ep", .product = "Sandy Bridge", .models = {45}, .core = &sandy_bridge, .memory = &memory_snb_ep},
    {.pmu = "snb", .product = "Sandy Bridge", .core = &sandy_bridge, .memory = &memory_client},
    {.pmu = "ivb_ep", .product = "Ivy Bridge", .models = {62}, .core = &sandy_bridge, .memory = &memory_snb_ep},
    {.pmu = "ivb", .product = "Ivy Bridge", .core = &sandy_bridge, .memory = &memory_client},
    {.pmu = "hsw_ep", .product = "Haswell", .models = {63}, .core = &haswell, .memory = &memory_snb_ep},
    {.pmu = "hsw", .product = "Haswell", .core = &haswell, .memory = &memory_client},
    {.pmu = "bdw_ep", .product = "Broadwell", .models = {79, 86}, .core = &broadwell, .memory = &memory_snb_ep},
    {.pmu = "bdw", .product = "Broadwell", .core = &broadwell, .memory = &memory_client},
    {.pmu = "skl", .product = "Skylake", .core = &skylake, .memory = &memory_client},
    {.pmu = "skx", .product = "Skylake-SP", .core = &skylake_server, .memory = &memory_snb_ep},
    {.pmu = "skx", .product = "Skylake-SP, one FMA unit", .core = &skylake_server, .memory = &memory_snb_ep},
    {.pmu = "clx", .product = "Cascade Lake", .core = &skylake_server, .memory = &memory_snb_ep},
    {.pmu = "clx", .product = "Cascade Lake, one FMA unit", .core = &skylake_server, .memory = &memory_snb_ep},
    {.pmu = "clx", .product = "Cooper Lake", .core = &skylake_server, .memory = &memory_snb_ep},
    {.pmu = "icl", .product = "Ice Lake", .core = &ice_lake, .memory = &memory_client},
    {.pmu = "icl", .product = "Tiger Lake", .core = &ice_lake, .memory = &memory_free_running},
    {.pmu = "icl", .product = "Rocket Lake", .core = &ice_lake, .memory = &memory_client},
    {.pmu = "icx", .product = "Ice Lake-SP", .core = &ice_lake, .memory = &memory_icx},
    {.pmu = "spr", .product = "Sapphire Rapids", .core = &golden_cove, .memory = &memory_spr},
    {.pmu = "emr", .product = "Emerald Rapids", .stand_in = "spr", .core = &golden_cove, .memory = &memory_spr},
    {.pmu = "gnr", .product = "Granite Rapids", .stand_in = "spr", .core = &golden_cove, .memory = &memory_gnr},
    {.pmu = "adl_glc", .product = "Alder Lake P", .hybrid = true, .core = &golden_cove_client, .memory = &memory_free_running},
    {.pmu = "adl_grt", .product = "Alder Lake E", .hybrid = true, .core = &gracemont, .memory = &memory_free_running},
    {.pmu = "adl_glc", .product = "Raptor Lake P", .hybrid = true, .core = &golden_cove_client, .memory = &memory_free_running},
    {.pmu = "adl_grt", .product = "Raptor Lake E", .hybrid = true, .core = &gracemont, .memory = &memory_free_running},
    {.pmu = "amd64_fam17h_zen1", .product = "Zen", .core = &zen1},
    {.pmu = "amd64_fam17h_zen2", .product = "Zen 2", .core = &zen2},
    {.pmu = "amd64_fam19h_zen3", .product = "Zen 3", .core = &zen2},
    {.pmu = "amd64_fam19h_zen4", .product = "Zen 4", .core = &zen4, .memory = &memory_zen4},
    {.pmu = "amd64_fam1ah_zen5", .product = "Zen 5", .stand_in = "amd64_fam19h_zen4", .core = &zen5, .memory = &memory_zen4},
    {.pmu = "amd64_fam1ah_zen5", .product = "Zen 5 (Strix Point)", .stand_in = "amd64_fam19h_zen4", .core = &zen5},
    {.pmu = "amd64_fam1ah_zen5", .product = "Zen 5 (Strix Halo)", .stand_in = "amd64_fam19h_zen4", .core = &zen5},
    {.pmu = "amd64_fam1ah_zen5", .product = "Zen 5 (mobile)", .stand_in = "amd64_fam19h_zen4", .core = &zen5},
    {.pmu = "arm_n1", .product = "Neoverse N1", .core = &neoverse_n1},
    {.pmu = "arm_ac72", .product = "Cortex-A72", .stand_in = "arm_n1", .core = &cortex_a72},
    {.pmu = "arm_ac76", .product = "Cortex-A76", .stand_in = "arm_n1", .core = &neoverse_n1},
    {.pmu = "arm_ampereone", .product = "AmpereOne", .stand_in = "arm_n1", .core = &neoverse_n1},
    {.pmu = "arm_ampereone", .product = "AmpereOne MX", .stand_in = "arm_n1", .core = &neoverse_n1},
    {.pmu = "arm_kunpeng", .product = "Kunpeng 920", .core = &neoverse_n1},
    {.pmu = "arm_thunderx2", .product = "ThunderX2", .core = &thunderx2},
    {.pmu = "arm_thunderx2", .product = "Vulcan", .core = &thunderx2},
    {.pmu = "arm_v1", .product = "Neoverse V1", .core = &neoverse_v1},
    {.pmu = "arm_n2", .product = "Neoverse N2", .core = &neoverse_v1},
    {.pmu = "arm_n2", .product = "Cobalt 100", .core = &neoverse_v1},
    {.pmu = "arm_ac710", .product = "Cortex-A710", .stand_in = "arm_n2", .core = &neoverse_v1},
    {.pmu = "arm_x2", .product = "Cortex-X2", .stand_in = "arm_n2", .core = &neoverse_v1},
    {.pmu = "arm_v2", .product = "Neoverse V2", .core = &neoverse_v1},
    {.pmu = "arm_n3", .product = "Neoverse N3", .stand_in = "arm_n2", .core = &neoverse_v1},
    {.pmu = "arm_v3", .product = "Neoverse V3", .stand_in = "arm_v2", .core = &neoverse_v1},
    {.pmu = "arm_a64fx", .product = "A64FX", .core = &a64fx},
    {.pmu = "apple_m1", .product = "M1 P", .core = &apple_m1},
    {.pmu = "apple_m1", .product = "M1 E", .core = &apple_m1},
};
static const size_t event_row_count = sizeof event_rows / sizeof *event_rows;
/* clang-format on */

const char *const metric_names[METRIC_COUNT + 1] = {
    "f64_flop",    "f32_flop",   "f16_flop", "any_flop",     "loads",           "stores",
    "width_bytes", "tlb_misses", "cycles",   "instructions", "dram_read_bytes", "dram_write_bytes",
};

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t\r\n");
}

/* `* 16 * sve`, moved behind it: each factor is a number, or the 128-bit parts of an SVE vector. */
static bool factors_parse(const char **text, unsigned sve_parts, struct event_formula *out, struct error *err) {
    static const char SVE[] = "sve";
    struct event_term *term = &out->terms[out->term_count];
    for (term->factor = 1; **text == '*'; *text = skip_blanks(*text)) {
        *text = skip_blanks(*text + 1);
        char *end = (char *)*text + sizeof SVE - 1;
        const bool sve = strncmp(*text, SVE, sizeof SVE - 1) == 0;
        if (sve && sve_parts == 0)
            return error_set(err, "%s * sve: this core's SVE vectors have no known length", term->event);
        const double factor = sve ? sve_parts : strtod(*text, &end);
        if (end == *text || !isfinite(factor) || factor == 0)
            return error_set(err, "after %s * there must be a number that is not 0, or sve", term->event);
        term->factor *= factor;
        out->sve_terms |= sve ? 1u << out->term_count : 0;
        *text = end;
    }
    out->term_count++;
    return true;
}

/* `event * factor + event …`. Error: the fault, without its place. */
static bool formula_parse(const char *text, unsigned sve_parts, struct event_formula *out, struct error *err) {
    static const char AFTER_NAME[] = " \t\r\n*+";
    *out = (struct event_formula){0};
    for (text = skip_blanks(text);; text = skip_blanks(text + 1)) {
        const size_t length = strcspn(text, AFTER_NAME);
        if (length == 0)
            return error_set(err, "an event's name is missing%s%.20s", *text ? " before " : " at the end", text);
        if (out->term_count == EVENTS_MAX_TERMS)
            return error_set(err, "more than %d events in one formula", EVENTS_MAX_TERMS);
        if (length >= sizeof out->terms[0].event)
            return error_set(err, "the event's name %.20s… is longer than %zu characters", text,
                             sizeof out->terms[0].event - 1);
        memcpy(out->terms[out->term_count].event, text, length);
        text = skip_blanks(text + length);
        if (!factors_parse(&text, sve_parts, out, err))
            return false;
        if (*text == '\0')
            return true;
        if (*text != '+')
            return error_set(err, "+ is missing before %.20s", text);
    }
}

/* Names of a hybrid CPU's core begin with `prefix`. */
static void formula_from_row(const char *text, const char *prefix, unsigned sve_parts, struct event_formula *out) {
    struct error err;
    if (!text || !formula_parse(text, sve_parts, out, &err)) {
        out->term_count = 0; /* no row, none that parses, which a test detects, or vectors of no known length */
        return;
    }
    for (unsigned i = 0; i < out->term_count && *prefix; i++) {
        char name[sizeof out->terms[0].event];
        memcpy(name, out->terms[i].event, sizeof name);
        snprintf(out->terms[i].event, sizeof name, "%.30s::%.63s", prefix, name);
    }
}

static void set_from_core(const struct event_core *core, const char *prefix, struct event_set *out) {
    out->f32_like_f64 = core->f32_like_f64;
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        formula_from_row(core->formulas[m], prefix, out->sve_parts, &out->metrics[m]);
        snprintf(out->doubt[m], sizeof out->doubt[m], "%s", core->doubts[m] ? core->doubts[m] : "");
    }
}

/* 0: none of these lengths. */
static unsigned sve_parts_of(cpu_features features) {
    for (size_t i = 0; i < isa_count; i++)
        if (isa_table[i].needs & features & CPU_SVE)
            return isa_table[i].vector_bytes / 16;
    return 0;
}

/* The vectors in use may be shorter than the product's. */
static void set_from_row(const struct event_row *row, cpu_features features, struct event_set *out) {
    static const char WHOLE_MACHINE[] = "of the whole machine, including other programs";
    static const char NO_MEMORY_EVENT[] = "no event that separates reads from writes is cited";
    const struct uarch *uarch = uarch_named(row->product);
    memset(out, 0, sizeof *out);
    out->sve_parts = sve_parts_of(features);
    if (out->sve_parts == 0 && uarch)
        out->sve_parts = sve_parts_of(uarch_features(uarch));
    snprintf(out->core, sizeof out->core, "%s", uarch_name(uarch));
    snprintf(out->pmu, sizeof out->pmu, "%s", row->pmu);
    snprintf(out->stand_in, sizeof out->stand_in, "%s", row->stand_in ? row->stand_in : "");
    snprintf(out->source, sizeof out->source, "%s%s%s", row->core->source, row->memory ? "; " : "",
             row->memory ? row->memory->source : "");
    set_from_core(row->core, row->hybrid ? row->pmu : "", out);
    for (unsigned m = METRIC_DRAM_READ_BYTES; m <= METRIC_DRAM_WRITE_BYTES; m++) {
        if (row->memory)
            formula_from_row(m == METRIC_DRAM_READ_BYTES ? row->memory->read : row->memory->write, "", 0,
                             &out->metrics[m]);
        snprintf(out->doubt[m], sizeof out->doubt[m], "%s", row->memory ? WHOLE_MACHINE : NO_MEMORY_EVENT);
    }
}

static bool row_is(const struct event_row *row, const struct uarch *uarch, unsigned model) {
    if (!uarch || uarch_named(row->product) != uarch)
        return false;
    for (unsigned i = 0; i < EVENT_MAX_MODELS && row->models[i]; i++)
        if (row->models[i] == model)
            return true;
    return row->models[0] == 0;
}

void events_find_kind(const struct cpu_identity *cpu, const char *core_kind, struct event_set *out) {
    const struct uarch *uarch = uarch_find(cpu, core_kind).uarch;
    for (size_t i = 0; i < event_row_count; i++)
        if (row_is(&event_rows[i], uarch, cpu->model)) {
            set_from_row(&event_rows[i], cpu->features, out);
            return;
        }
    memset(out, 0, sizeof *out);
    out->sve_parts = sve_parts_of(cpu->features);
    snprintf(out->source, sizeof out->source, "%s", event_presets.source);
    set_from_core(&event_presets, "", out);
}

void events_find(const struct cpu_identity *cpu, const char *pmu, struct event_set *out) {
    for (size_t i = 0; pmu && i < event_row_count; i++)
        if (strcmp(event_rows[i].pmu, pmu) == 0) {
            set_from_row(&event_rows[i], cpu->features, out);
            return;
        }
    events_find_kind(cpu, cpu->features & CPU_HYBRID ? "P" : "", out);
}

const char *events_pmu_at(size_t index) {
    size_t distinct = 0;
    for (size_t i = 0; i < event_row_count; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++)
            seen |= strcmp(event_rows[j].pmu, event_rows[i].pmu) == 0;
        if (!seen && distinct++ == index)
            return event_rows[i].pmu;
    }
    return NULL;
}

static bool line_read(char *line, struct event_set *out, bool *replaced, struct error *err) {
    line[strcspn(line, "#\n")] = '\0';
    const char *start = skip_blanks(line);
    if (*start == '\0')
        return true;
    const size_t length = strcspn(start, " \t\r=");
    const char *equals = skip_blanks(start + length);
    if (*equals != '=')
        return error_set(err, "`metric = event * factor + event …` is expected");
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        if (strlen(metric_names[m]) != length || strncmp(metric_names[m], start, length) != 0)
            continue;
        if (replaced[m])
            return error_set(err, "%s for the second time", metric_names[m]);
        replaced[m] = true;
        out->doubt[m][0] = '\0';
        out->f32_like_f64 &= m != METRIC_WIDTH_BYTES;
        return formula_parse(equals + 1, out->sve_parts, &out->metrics[m], err);
    }
    char known[256] = "";
    for (unsigned m = 0; m < METRIC_COUNT; m++)
        text_append(known, sizeof known, "%s%s", m ? ", " : "", metric_names[m]);
    return error_set(err, "%.*s is not a metric; the metrics are %s", (int)(length < 40 ? length : 40), start, known);
}

bool events_load(const char *path, struct event_set *out, struct error *err) {
    char line[4096];
    bool replaced[METRIC_COUNT] = {false}, any = false, good = true;
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(err, "%s cannot be read: %s", path, strerror(errno));
    for (unsigned number = 1; good && fgets(line, sizeof line, file); number++) {
        struct error why;
        good = strlen(line) < sizeof line - 1 ? line_read(line, out, replaced, &why)
                                              : error_set(&why, "longer than %zu characters", sizeof line - 2);
        if (!good)
            error_set(err, "%s, line %u: %.900s", path, number, why.text);
    }
    if (good && ferror(file))
        good = error_set(err, "%s cannot be read: %s", path, strerror(errno));
    for (unsigned m = 0; m < METRIC_COUNT; m++)
        any |= replaced[m];
    if (good && !any)
        good = error_set(err, "%s holds no formula; a line is `metric = event * factor + event …`", path);
    fclose(file);
    return good;
}

bool events_evaluate(const struct event_formula *formula, size_t count, const char (*names)[96], const double *values,
                     double *out) {
    double sum = 0;
    for (unsigned t = 0; t < formula->term_count; t++) {
        size_t i = 0;
        while (i < count && strcmp(names[i], formula->terms[t].event) != 0)
            i++;
        if (i == count)
            return false;
        sum += formula->terms[t].factor * values[i];
    }
    *out = sum;
    return formula->term_count > 0;
}

const char *events_without_flop(const struct event_set *set) {
    for (unsigned m = METRIC_F64_FLOP; m <= METRIC_ANY_FLOP; m++)
        if (set->metrics[m].term_count > 0)
            return NULL;
    return set->doubt[METRIC_F64_FLOP];
}

double events_width_bytes(const struct event_set *set, const double *counts) {
    const struct event_formula *formula = &set->metrics[METRIC_WIDTH_BYTES];
    const double f64_bytes = 8, f32_bytes = 4, tolerated = 1.05; /* as wide as the interval of a steady memory roof */
    double instructions = 0, most_bytes = 0, least_bytes = 0;
    for (unsigned t = 0; t < formula->term_count; t++) {
        const double width = formula->terms[t].factor;
        instructions += counts[t];
        most_bytes += counts[t] * width;
        least_bytes += counts[t] * (set->f32_like_f64 && width == f64_bytes ? f32_bytes : width);
    }
    return instructions > 0 && most_bytes <= tolerated * least_bytes ? (most_bytes + least_bytes) / 2 / instructions
                                                                     : 0;
}
