#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace dse::sim {

/// The text in quotes. Names come from files of other programs and may contain arbitrary bytes.
std::string json_text(std::string_view text);

/// The text of a trace for Perfetto or Chrome's about:tracing, event by event.
/// Source: "Trace Event Format", Google.
class ChromeEvents {
  public:
    /// \param unit  seconds per unit of all times
    explicit ChromeEvents(double unit) : unit_{unit} {}

    /// Appends an event: JSON, and a comma behind it.
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }
    /// Names a process or a thread of it.
    /// \param what  "process_name" or "thread_name"
    /// \param name  in quotes, as json_text() returns it
    void label(std::string_view what, std::size_t process, std::size_t thread, std::string_view name);
    /// \param order  of the process among others
    void sort_process(std::size_t process, std::size_t order);

    /// Whole nanoseconds, the resolution of viewers, so that an event ends exactly where the next one starts
    /// and does not overlap with it.
    [[nodiscard]] double nano(double time) const { return std::floor(time * unit_ * 1e9); }
    /// A time in microseconds, as text.
    [[nodiscard]] std::string micro(double time) const;
    /// The same for what lies between two times.
    [[nodiscard]] std::string micro(double start, double end) const;

    /// \return the whole text
    std::string finish();

  private:
    double unit_;
    std::string text_{R"({"displayTimeUnit":"ms","traceEvents":[)"};
};

}  // namespace dse::sim
