#include "app/progress_display.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/human.hpp"

namespace dse::app {
namespace {

constexpr std::chrono::seconds log_interval{10};
constexpr const char* clear_line = "\r\x1b[K";

}  // namespace

std::string progress_text(const dist::Progress& progress) {
    const std::uint64_t done = std::min(progress.total, progress.covered + progress.tally.indices);
    const double share =
        progress.total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(progress.total);
    const double rows_of_indices =
        progress.tally.indices == 0
            ? 1.0
            : static_cast<double>(progress.tally.rows) / static_cast<double>(progress.tally.indices);
    std::string text =
        fmt::format("{:5.1f} %  {} points  {}/s  ETA {}  front {}", 100.0 * share,
                    human_count(progress.tally.rows), human_count(progress.rate * rows_of_indices),
                    human_duration(progress.eta_seconds), human_count(std::uint64_t{progress.front_size}));
    if (progress.tally.failures > 0) text += fmt::format("  {} failed", human_count(progress.tally.failures));
    if (progress.lost > 0) text += fmt::format("  {} ranks lost", progress.lost);
    return text;
}

ProgressDisplay::ProgressDisplay(ProgressStyle style, Logger log) : style_{style}, log_{std::move(log)} {
    if (style_ == ProgressStyle::automatic) {
        style_ = isatty(STDERR_FILENO) != 0 ? ProgressStyle::line : ProgressStyle::log;
    }
}

void ProgressDisplay::close() {
    if (on_line_) std::cerr << clear_line << std::flush;
    on_line_ = false;
}

void ProgressDisplay::show(const dist::Progress& progress) {
    if (style_ == ProgressStyle::line) {
        std::cerr << clear_line << progress_text(progress) << std::flush;
        on_line_ = true;
    } else if (style_ == ProgressStyle::log && Clock::now() - last_ >= log_interval) {
        log_.info("{}", progress_text(progress));
        last_ = Clock::now();
    }
}

}  // namespace dse::app
