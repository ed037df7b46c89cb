#include "app/progress_display.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/human.hpp"

namespace dse::app {
namespace {

constexpr std::chrono::seconds log_interval{10};
constexpr std::chrono::milliseconds line_interval{200};
constexpr const char* clear_line = "\r\x1b[K";

/// While nothing is known to be good, boxes are settled one by one, at an even pace. Later, answers settle
/// most of them, and how soon cannot be told.
std::string proof_text(const dist::ProofProgress& proof, double seconds) {
    const std::string boxes =
        fmt::format("{} of {} boxes settled, {:.3g} % of the grid", human_count(proof.settled),
                    human_count(proof.boxes), 100.0 * proof.share);
    if (!std::isinf(proof.epsilon)) return boxes + fmt::format("  epsilon {:.3g}", proof.epsilon);
    if (proof.share <= 0.0) return boxes + "  no bound yet";
    return boxes + fmt::format("  no bound yet, ETA {} at this pace",
                               human_duration(seconds * (1.0 - proof.share) / proof.share));
}

/// The share that is done, and the time left; for a search with a proof, its boxes and its epsilon.
std::string distance_text(const dist::Progress& progress, double rows_of_indices) {
    const std::string points = fmt::format("{} points  {}", human_count(progress.tally.rows),
                                           human_rate(progress.rate * rows_of_indices));
    if (progress.proof) return points + "  " + proof_text(*progress.proof, progress.seconds);
    const std::uint64_t done = std::min(progress.total, progress.covered + progress.tally.indices);
    const double share =
        progress.total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(progress.total);
    return fmt::format("{:5.1f} %  {}  ETA {}", 100.0 * share, points, human_duration(progress.eta_seconds));
}

}  // namespace

const std::map<std::string, ProgressStyle>& progress_styles() {
    static const std::map<std::string, ProgressStyle> styles{{"auto", ProgressStyle::automatic},
                                                             {"line", ProgressStyle::line},
                                                             {"log", ProgressStyle::log},
                                                             {"none", ProgressStyle::none}};
    return styles;
}

std::string progress_text(const dist::Progress& progress) {
    const double rows_of_indices =
        progress.tally.indices == 0
            ? 1.0
            : static_cast<double>(progress.tally.rows) / static_cast<double>(progress.tally.indices);
    std::string text = fmt::format("{}  front {}", distance_text(progress, rows_of_indices),
                                   human_count(std::uint64_t{progress.front_size}));
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
    show([&] { return progress_text(progress); });
}

void ProgressDisplay::show(const std::function<std::string()>& text) {
    const Clock::time_point now = Clock::now();
    if (style_ == ProgressStyle::line && now - last_ >= line_interval) {
        std::cerr << clear_line << text() << std::flush;
        on_line_ = true;
        last_ = now;
    } else if (style_ == ProgressStyle::log && now - last_ >= log_interval) {
        log_.info("{}", text());
        last_ = now;
    }
}

}  // namespace dse::app
