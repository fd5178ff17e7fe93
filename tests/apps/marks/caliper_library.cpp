// SPDX-License-Identifier: BSD-3-Clause
// In place of libcaliper: tells what it is called for.
#include <cstdint>
#include <cstdio>

#include "caliper_classes.h"

#define TELLS(function) \
    extern "C" void function(const char *name) { std::printf(#function " %s\n", name); }
TELLS(cali_begin_region)
TELLS(cali_end_region)
TELLS(cali_begin_phase)
TELLS(cali_end_phase)

extern "C" {
std::uint64_t cali_loop_attr_id = 12;
void cali_begin_string(std::uint64_t attribute, const char *value) {
    std::printf("cali_begin_string %u %s\n", (unsigned)attribute, value);
}
void cali_end(std::uint64_t attribute) {
    std::printf("cali_end %u\n", (unsigned)attribute);
}
}

namespace cali {
Function::Function(const char *name) { std::printf("Function %s\n", name); }
Function::~Function() { std::puts("~Function"); }
ScopeAnnotation::ScopeAnnotation(const char *name) { std::printf("ScopeAnnotation %s\n", name); }
ScopeAnnotation::~ScopeAnnotation() { std::puts("~ScopeAnnotation"); }
Loop::Loop(const char *name) : impl(nullptr) { std::printf("Loop %s\n", name); }
Loop::~Loop() { std::puts("~Loop"); }
void Loop::end() { std::puts("Loop::end"); }
}
