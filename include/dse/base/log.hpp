#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace spdlog {
class logger;
}

namespace dse {

enum class LogLevel { debug, info, warning, error, off };

/// A logger that is passed as an argument; there is no global state. Lines go to stderr, with the MPI rank if
/// one was given, so that stdout is reserved for results.
class Logger {
  public:
    /// Logs nothing.
    Logger();
    /// Logs lines of `level` and above.
    explicit Logger(LogLevel level, std::optional<int> rank = std::nullopt);

    template <class... Args>
    void debug(fmt::format_string<Args...> format, Args&&... args) const {
        write(LogLevel::debug, format, std::forward<Args>(args)...);
    }
    template <class... Args>
    void info(fmt::format_string<Args...> format, Args&&... args) const {
        write(LogLevel::info, format, std::forward<Args>(args)...);
    }
    template <class... Args>
    void warning(fmt::format_string<Args...> format, Args&&... args) const {
        write(LogLevel::warning, format, std::forward<Args>(args)...);
    }
    template <class... Args>
    void error(fmt::format_string<Args...> format, Args&&... args) const {
        write(LogLevel::error, format, std::forward<Args>(args)...);
    }

  private:
    template <class... Args>
    void write(LogLevel level, fmt::format_string<Args...> format, Args&&... args) const {
        if (enabled(level)) emit(level, fmt::format(format, std::forward<Args>(args)...));
    }
    [[nodiscard]] bool enabled(LogLevel level) const;
    void emit(LogLevel level, std::string_view line) const;

    std::shared_ptr<spdlog::logger> sink_;
};

}  // namespace dse
