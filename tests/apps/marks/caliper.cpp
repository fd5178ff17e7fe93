// SPDX-License-Identifier: BSD-3-Clause
// Caliper, by as much of it as caliper_library.cpp has: regions and phases in C, loops in C, and marking objects in C++.
#include <cstdint>

#include "caliper_classes.h"
#include "regions.h"

extern "C" {
void cali_begin_region(const char *), cali_end_region(const char *);
void cali_begin_phase(const char *), cali_end_phase(const char *);
void cali_begin_string(std::uint64_t, const char *), cali_end(std::uint64_t);
extern std::uint64_t cali_loop_attr_id;
}

static void function(void) {
    cali::Function mark(__func__);
    work(5);
    {
        cali::ScopeAnnotation scope("scope");
        work(30);
    }
    cali::Loop loop("ended loop"), other("loop");
    work(200);
    loop.end();
    work(1000);
}

int main(void) {
    NEST(cali_begin_region, cali_end_region);
    OVERLAP(cali_begin_phase, cali_end_phase);
    cali_begin_string(cali_loop_attr_id, "loop in C");
    work(7);
    cali_begin_string(cali_loop_attr_id + 1, "no loop");
    cali_end(cali_loop_attr_id + 1);
    cali_end(cali_loop_attr_id);
    work(70);
    function();
    printf("region \"loop in C\" calls 1 open 0 mismatched 0 flop 7\n"
           "region \"function\" calls 1 open 0 mismatched 0 flop 1235\n"
           "region \"scope\" calls 1 open 0 mismatched 0 flop 30\n"
           "region \"ended loop\" calls 1 open 0 mismatched 1 flop 200\n"
           "region \"loop\" calls 1 open 0 mismatched 0 flop 1200\n");
    return 0;
}
