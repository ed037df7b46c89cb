#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "dse/base/log.hpp"
#include "dse/dist/farm.hpp"

namespace dse::app {

/// How a long run reports its progress.
enum class ProgressStyle : std::uint8_t {
    automatic,  ///< `line` on a terminal, otherwise `log`
    line,       ///< one line on stderr that is overwritten
    log,        ///< a log line every ten seconds
    none,
};

/// The styles by the names of the option --progress.
const std::map<std::string, ProgressStyle>& progress_styles();

/// "42.0 %  12,345 points  30,100/s  ETA 12 s  3 failed  front 23"; for a search with a proof, whose end is
/// not known in advance, "1,234 points  240/s  5,600 of 7,000 boxes settled, 40.0 % of the
/// grid  epsilon 0.05  front 23".
std::string progress_text(const dist::Progress& progress);

/// Displays progress.
class ProgressDisplay {
  public:
    ProgressDisplay(ProgressStyle style, Logger log);
    ~ProgressDisplay() { close(); }
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

    void show(const dist::Progress& progress);
    /// Shows any other text, which is created only when it is time to show it.
    void show(const std::function<std::string()>& text);
    /// Ends the line on the terminal.
    void close();

  private:
    using Clock = std::chrono::steady_clock;
    ProgressStyle style_;
    Logger log_;
    Clock::time_point last_{Clock::now()};  ///< when the last log line or text was shown
    bool on_line_{false};
};

}  // namespace dse::app
