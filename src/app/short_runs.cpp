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
    if (!has(highest_rate)) return;
    const std::span<const double> highest = block.metric(highest_rate);
    const std::span<const double> breaking =
        has(breaking_rate) ? block.metric(breaking_rate) : std::span<const double>{};
    for (std::size_t row = 0; row < block.rows(); ++row) {
        if (shown[row] != space::Status::ok || !(highest[row] > 0.0)) continue;
        if (breaking.empty())
            ++unknown_;
        else if (std::isnan(breaking[row]))
            ++rows_;
    }
}

std::string ShortRuns::text() const {
    if (unknown_ > 0)
        return fmt::format(
            "{} of {} may be only a lower bound: these results are of a release that did not write {}\n",
            highest_rate, counted(unknown_, "row"), breaking_rate);
    if (rows_ == 0) return "";
    return fmt::format(
        "TOO FEW REQUESTS for {} of {}, which is only a lower bound there: at a higher rate all of them "
        "would arrive before a queue grows (raise traffic.requests)\n",
        highest_rate, counted(rows_, "row"));
}

}  // namespace dse::app
