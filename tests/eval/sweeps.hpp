#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/eval/sweep.hpp"
#include "support/temporary_folder.hpp"

namespace dse::test {

/// Sweeps written by tests, in a folder of their own; models, clusters and stacks are the project's.
class SweepFiles {
  public:
    /// A sweep of Llama-3 8B on 16 H100s; what varies is written as YAML.
    static std::string llama(const std::string& rest, const std::string& workload = "",
                             const std::string& cluster = "h100_ndr400") {
        return "name: t\n"
               "workload: {model: llama3_8b, global_batch: 16, sequence: 2048" +
               (workload.empty() ? "" : ", " + workload) +
               "}\n"
               "system: {cluster: " +
               cluster + ", devices: 16}\n" + rest;
    }

    [[nodiscard]] eval::Sweep load(const std::string& yaml,
                                   const std::vector<eval::Setting>& settings = {}) const {
        return eval::load_sweep(folder_.write("t.yaml", yaml), settings);
    }

    /// All errors, one a line, places without the folder.
    [[nodiscard]] std::string errors(const std::string& yaml,
                                     const std::vector<eval::Setting>& settings = {}) const {
        try {
            static_cast<void>(load(yaml, settings));
            return "";
        } catch (const InputError& error) {
            std::string text = error.what();
            const std::string prefix = folder_.path() + "/";
            for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
                text.erase(at, prefix.size());
            }
            return text;
        }
    }

    [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

  private:
    TemporaryFolder folder_;
};

/// Every point of a small sweep.
inline std::vector<space::Point> points_of(const eval::Sweep& sweep) {
    std::vector<space::Point> points;
    space::Point point;
    for (std::uint64_t id = 0; id < sweep.space->grid_size().exact.value(); ++id) {
        point.id = id;
        if (sweep.space->point(id, point)) points.push_back(point);
    }
    return points;
}

/// A metric's bits: NaN equals NaN, and nothing else is forgiven.
inline std::vector<std::uint64_t> bits_of(const metrics::Metrics& metrics) {
    std::vector<std::uint64_t> bits;
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        bits.push_back(std::bit_cast<std::uint64_t>(metrics.*field.member));
    }
    return bits;
}

}  // namespace dse::test
