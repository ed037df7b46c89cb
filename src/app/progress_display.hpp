#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "dse/base/log.hpp"
#include "dse/dist/farm.hpp"

namespace dse::app {

/// How a long run tells how far it is.
enum class ProgressStyle : std::uint8_t {
    automatic,  ///< a line on a terminal, else the log
    line,       ///< one line of stderr that is written over and over
    log,        ///< a log line every ten seconds
    none,
};

/// By what the option --progress calls them.
const std::map<std::string, ProgressStyle>& progress_styles();

/// "42.0 %  12,345 points  30,100/s  ETA 12 s  3 failed  front 23"; of a search that proves, which ends when
/// it is done, "1,234 points  240/s  epsilon 0.05  front 23".
std::string progress_text(const dist::Progress& progress);

/// Shows progress as it comes.
class ProgressDisplay {
  public:
    ProgressDisplay(ProgressStyle style, Logger log);
    ~ProgressDisplay() { close(); }
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

    void show(const dist::Progress& progress);
    /// Any other text, made where it is time to show one.
    void show(const std::function<std::string()>& text);
    /// Leaves the terminal's line.
    void close();

  private:
    using Clock = std::chrono::steady_clock;
    ProgressStyle style_;
    Logger log_;
    Clock::time_point last_{Clock::now()};  ///< of the log; on a line, of what was shown
    bool on_line_{false};
};

}  // namespace dse::app
