#include "app/short_runs.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "app/human.hpp"

namespace dse::app {
namespace {

constexpr std::string_view highest_rate = "max_request_rate";
constexpr std::string_view breaking_rate = "max_request_rate_high";

}  // namespace

void ShortRuns::add(const results::Table& block, std::span<const space::Status> shown) {
    const auto has = [&](std::string_view name) {
        return std::ranges::find(block.schema.metrics, name, &results::MetricColumn::name) !=
               block.schema.metrics.end();
    };
    if (!has(highest_rate) || !has(breaking_rate)) return;
    const std::span<const double> highest = block.metric(highest_rate);
    const std::span<const double> breaking = block.metric(breaking_rate);
    for (std::size_t row = 0; row < block.rows(); ++row)
        rows_ += shown[row] == space::Status::ok && highest[row] > 0.0 && std::isnan(breaking[row]) ? 1 : 0;
}

std::string ShortRuns::text() const {
    if (rows_ == 0) return "";
    return fmt::format(
        "TOO FEW REQUESTS for {} of {}, which is only a lower bound there: at a higher rate all of them "
        "would arrive before a queue grows (raise traffic.requests)\n",
        highest_rate, counted(rows_, "row"));
}

}  // namespace dse::app
