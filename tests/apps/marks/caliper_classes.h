// SPDX-License-Identifier: BSD-3-Clause
// Caliper's marking objects, as caliper_library.cpp has them.
#ifndef CALIPER_CLASSES_H
#define CALIPER_CLASSES_H

namespace cali {
struct Function {
    Function(const char *name);
    ~Function();
};
struct ScopeAnnotation {
    explicit ScopeAnnotation(const char *name);
    ~ScopeAnnotation();
};
struct Loop {
    struct Impl *impl;
    Loop(const char *name);
    ~Loop();
    void end();
};
}

#endif
