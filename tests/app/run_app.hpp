#pragma once

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/command_line.hpp"
#include "support/source_dir.hpp"

namespace dse::app::test {

/// What one command did.
struct Outcome {
    int code{0};
    std::string out;
    std::string err;

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Runs a command in this process.
inline Outcome run_app(const std::vector<std::string>& arguments) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome outcome;
    outcome.code = run_command_line(arguments);
    outcome.out = testing::internal::GetCapturedStdout();
    outcome.err = testing::internal::GetCapturedStderr();
    return outcome;
}

/// Cells of CSV, line by line; a comma inside quotes separates nothing.
inline std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) {
        std::vector<std::string>& cells = rows.emplace_back(1);
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') quoted = !quoted;
            if (c == ',' && !quoted) {
                cells.emplace_back();
            } else {
                cells.back() += c;
            }
        }
    }
    return rows;
}

inline std::string smoke_sweep() {
    return std::string{DSE_SOURCE_DIR} + "/sweeps/smoke.yaml";
}

/// A sweep of a few points; `axes` and what follows is written as YAML.
inline std::string tiny_sweep(const std::string& rest) {
    return "name: tiny\n"
           "workload: {model: llama3_8b, global_batch: 8, sequence: 2048}\n"
           "system: {cluster: h100_ndr400, devices: 8}\n" +
           rest;
}

}  // namespace dse::app::test
