#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/trace/kineto/profile.hpp"
#include "support/temporary_folder.hpp"

namespace dse::trace::kineto::test {

/// A profile as PyTorch writes it, from events made by hand; times in microseconds.
class ProfileText {
  public:
    void host(const char* category, const std::string& name, int thread, double start, double duration,
              const std::string& args = "") {
        add(category, name, thread, start, duration, args);
    }
    void call(const std::string& name, int thread, double start, double duration, int correlation) {
        add("cuda_runtime", name, thread, start, duration, fmt::format("\"correlation\": {}", correlation));
    }
    void kernel(const std::string& name, int stream, double start, double duration, int correlation,
                const std::string& more = "", const char* category = "kernel") {
        add(category, name, stream, start, duration,
            fmt::format("\"device\": 0, \"stream\": {}, \"correlation\": {}{}", stream, correlation, more));
    }
    void sync(const std::string& name, int correlation, const std::string& more) {
        add("cuda_sync", name, 0, 0, 0, fmt::format("\"correlation\": {}, {}", correlation, more));
    }

    [[nodiscard]] std::string text(const std::string& distributed = "{}") const {
        return fmt::format(
            R"({{"schemaVersion": 1, "distributedInfo": {}, "traceEvents": [{}], "traceName": "t"}})",
            distributed, fmt::join(events_, ",\n"));
    }
    [[nodiscard]] Profile read(const std::string& distributed = "{}") const {
        const dse::test::TemporaryFolder folder;
        return read_profile(folder.write("p.json", text(distributed)));
    }

  private:
    void add(const char* category, const std::string& name, int thread, double start, double duration,
             const std::string& args) {
        events_.push_back(fmt::format(
            R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
            category, name, thread, start, duration, args));
    }
    std::vector<std::string> events_;
};

}  // namespace dse::trace::kineto::test
