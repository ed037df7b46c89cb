#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/flags/framework_flags.hpp"

namespace dse::app {

/// Collects the flags of a command line.
class FlagList {
  public:
    template <class Value>
    void add(const char* format, const Value& value) {
        result_.flags.push_back(fmt::format(fmt::runtime(format), value));
    }
    void add(const char* flag) { result_.flags.emplace_back(flag); }
    void add_if(bool holds, const char* flag) {
        if (holds) add(flag);
    }
    /// A line of a configuration file.
    template <class Value>
    void configure(const char* format, const Value& value) {
        result_.configuration.push_back(fmt::format(fmt::runtime(format), value));
    }
    void configure(const char* line) { result_.configuration.emplace_back(line); }
    /// Notes a property of the point for which there is no flag.
    void lack(std::string_view what) { result_.missing.emplace_back(what); }
    void lack_if(bool holds, const char* what) {
        if (holds) lack(what);
    }
    FrameworkFlags take() { return std::move(result_); }

  private:
    FrameworkFlags result_;
};

}  // namespace dse::app
