#include "model/compute/learned/kernel_runner.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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

/// Lines of a file beside this one, without comments.
std::vector<std::string> lines_of(const std::string& name) {
    std::ifstream file{std::string{DSE_SOURCE_DIR} + "/tests/model/compute/learned/" + name};
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with('#')) lines.push_back(line);
    }
    return lines;
}

// The same lines are those of kernel_runners.py, by which fits share weights:
// tests/analysis/test_kernel_runners.py.
TEST(KernelRunner, is_that_of_the_tables) {
    const std::vector<std::string> lines = lines_of("runners.txt");
    EXPECT_GE(lines.size(), 40U);
    for (const std::string& line : lines) {
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
    }
}

TEST(KernelRunner, of_attention_is_that_of_the_tables) {
    const std::vector<std::string> lines = lines_of("attention_runners.txt");
    EXPECT_GE(lines.size(), 40U);
    for (const std::string& line : lines) {
        std::istringstream words{line};
        std::string library;
        std::string cache;
        std::string window;
        std::string runner;
        double capability = 0.0;
        Kernel kernel;
        kernel.kind = KernelKind::decode;
        words >> library >> kernel.release >> kernel.head_dim >> cache >> window >> capability >> runner;
        kernel.library = named<KernelLibrary>(library);
        kernel.narrow_cache = cache == "fp8";
        kernel.window = window == "yes" ? 128.0 : 0.0;
        EXPECT_EQ(attention_runner_of(kernel, capability), named<KernelRunner>(runner)) << line;
    }
}

}  // namespace
}  // namespace dse::model
