#include "model/compute/learned/kernel_runner.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "support/source_dir.hpp"

namespace dse::model {
namespace {

template <class Choice>
Choice named(const std::string& name) {
    const auto names = choice_names(Choice{});
    const auto found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<Choice>(found - names.begin());
}

// The same lines are those of kernel_runners.py, by which fits share weights:
// tests/analysis/test_kernel_runners.py.
TEST(KernelRunner, is_that_of_the_tables) {
    std::ifstream file{std::string{DSE_SOURCE_DIR} + "/tests/model/compute/learned/runners.txt"};
    int lines = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words{line};
        std::string library;
        std::string format;
        std::string gated;
        std::string low_latency;
        std::string runner;
        double capability = 0.0;
        Kernel kernel;
        kernel.kind = KernelKind::experts;
        words >> library >> kernel.release >> format >> capability >> gated >> low_latency >> runner;
        kernel.library = named<KernelLibrary>(library);
        kernel.format = named<OperandFormat>(format);
        kernel.gated = gated == "yes";
        kernel.low_latency = low_latency == "yes";
        EXPECT_EQ(runner_of(kernel, capability), named<KernelRunner>(runner)) << line;
        ++lines;
    }
    EXPECT_GE(lines, 40);
}

}  // namespace
}  // namespace dse::model
