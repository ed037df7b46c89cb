#include "dse/graph/class_columns.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace dse::graph {
namespace {

/// Gaps between tokens are not known by class.
constexpr std::array<std::string_view, 3> latencies_of_classes{"ttft", "tpot", "e2e"};

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

std::string column_prefix(const RequestClass& one) {
    std::string prefix = one.name;
    std::ranges::replace_if(
        prefix, [](char c) { return !is_letter(c) && !is_digit(c); }, '_');
    return !prefix.empty() && is_letter(prefix.front()) ? prefix : "class_" + prefix;
}

std::vector<ClassColumn> class_columns(const Traffic& traffic) {
    std::vector<ClassColumn> columns;
    for (const RequestClass& one : traffic.classes) {
        const std::string prefix = column_prefix(one);
        for (const std::string_view latency : latencies_of_classes) {
            for (const std::string_view statistic : statistic_names)
                columns.push_back({fmt::format("{}_{}_{}", prefix, latency, statistic), "s"});
        }
        columns.push_back({prefix + "_requests", "1"});
        columns.push_back({prefix + "_goodput", "1/s"});
        columns.push_back({prefix + "_slo_attainment", "1"});
        columns.push_back({prefix + "_slo_worst", "1"});
    }
    return columns;
}

}  // namespace dse::graph
