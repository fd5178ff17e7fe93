// SPDX-License-Identifier: BSD-3-Clause
// C++ exceptions through many frames and in many threads, regular expressions, streams; with an argument, one that is
// not caught ends the program. Built by tests/cli/programs/cli_count_tools.sh.
#include <atomic>
#include <future>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "carmine.h"

static std::atomic<int> destroyed{0}, caught{0};

struct guard {
    ~guard() {
        destroyed++;
    }
};

static int fall(int depth) {
    guard here;
    if (depth == 0)
        throw std::runtime_error("the bottom");
    return fall(depth - 1) + 1;
}

int main(int argc, char **) {
    carmine_region_begin("work");
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back([] {
            for (int j = 0; j < 100; j++)
                try {
                    fall(20);
                } catch (const std::exception &) {
                    caught++;
                }
        });
    for (auto &thread : threads)
        thread.join();
    auto result = std::async(std::launch::async, [] {
        try {
            return fall(5);
        } catch (...) {
            return 7;
        }
    });
    int depth = result.get();
    std::string text;
    for (int i = 0; i < 200; i++)
        text += "ab1";
    std::regex word("[a-z]+[0-9]");
    auto words = std::distance(std::sregex_iterator(text.begin(), text.end(), word), std::sregex_iterator());
    std::cout << caught << " " << destroyed << " " << depth << " " << words << std::endl;
    carmine_region_end("work");
    try {
        fall(3);
    } catch (const std::runtime_error &error) {
        std::cout << error.what() << std::endl;
    }
    if (argc > 1)
        throw std::logic_error("not caught");
    return 0;
}
