// SPDX-License-Identifier: BSD-3-Clause
// Marks in C++: a region that ends with its scope, also by an exception: scope [N].
//
//     g++ -O2 scope.cpp $(pkg-config --cflags --libs carmine)
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <carmine.h>

class region {
    const char *name;

  public:
    explicit region(const char *name) : name(name) { carmine_region_begin(name); }
    ~region() { carmine_region_end(name); }
    region(const region &) = delete;
    region &operator=(const region &) = delete;
};

// A step of Newton's method for the square root of each element.
static void step(std::vector<double> &x, const std::vector<double> &square) {
    region here("step");
    for (std::size_t i = 0; i < x.size(); i++) {
        if (x[i] == 0)
            throw std::domain_error("there is no next value after 0");
        x[i] = 0.5 * (x[i] + square[i] / x[i]);
    }
}

int main(int argc, char **argv) {
    std::vector<double> square(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000), x;
    std::iota(square.begin(), square.end(), 1.0);
    x = square;
    try {
        region here("roots");
        for (int i = 0; i < 30; i++)
            step(x, square);
        x[0] = 0;
        step(x, square);
    } catch (const std::domain_error &error) {
        std::printf("%s\n", error.what());
    }
    std::printf("the root of %.0f is %.9f\n", square.back(), x.back());
}
