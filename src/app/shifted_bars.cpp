#include "app/shifted_bars.hpp"

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/result_columns.hpp"

namespace dse::app {

bool is_shifted(double time, double low, double high) {
    return time < low || time > high;
}

void ShiftedBars::add(const results::Table& block, std::span<const space::Status> shown) {
    const auto time = metric_index(block, "iteration_time");
    const auto low = metric_index(block, "iteration_time_low");
    const auto high = metric_index(block, "iteration_time_high");
    if (!time || !low || !high) return;
    for (std::size_t row = 0; row < block.rows(); ++row) {
        if (shown[row] == space::Status::ok &&
            is_shifted(block.metrics[*time][row], block.metrics[*low][row], block.metrics[*high][row]))
            ++rows_;
    }
}

std::string ShiftedBars::text() const {
    if (rows_ == 0) return "";
    return fmt::format(
        "iteration_time of {} is not between its iteration_time_low and _high: without a 'stack', or with a "
        "chip known by its datasheet alone, measured steps take longer than predicted (docs/accuracy.md)\n",
        counted(rows_, "row"));
}

}  // namespace dse::app
