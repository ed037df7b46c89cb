#include "dse/base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace dse {
namespace {

spdlog::level::level_enum level_of(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
        case LogLevel::off:
            break;
    }
    return spdlog::level::off;
}

}  // namespace

Logger::Logger() = default;

Logger::Logger(LogLevel level, std::optional<int> rank)
    : sink_{std::make_shared<spdlog::logger>("dse", std::make_shared<spdlog::sinks::stderr_sink_mt>())} {
    sink_->set_level(level_of(level));
    sink_->set_pattern(fmt::format("[%H:%M:%S.%e] {}[%l] %v", rank ? fmt::format("[rank {}] ", *rank) : ""));
}

bool Logger::enabled(LogLevel level) const {
    return sink_ && sink_->should_log(level_of(level));
}

void Logger::emit(LogLevel level, std::string_view line) const {
    sink_->log(level_of(level), spdlog::string_view_t{line.data(), line.size()});
}

}  // namespace dse
