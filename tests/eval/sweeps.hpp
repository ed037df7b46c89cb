#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "dse/eval/evaluator.hpp"
#include "dse/eval/load_sweep.hpp"
#include "support/sweep_files.hpp"

namespace dse::test {

/// Sweeps with all that they refer to.
class SweepFiles : public WrittenSweeps {
  public:
    SweepFiles() : WrittenSweeps{eval::load_sweep} {}
};

/// A metric's bits: NaN equals NaN, and nothing else is forgiven.
inline std::vector<std::uint64_t> bits_of(const metrics::Metrics& metrics) {
    std::vector<std::uint64_t> bits;
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        bits.push_back(std::bit_cast<std::uint64_t>(metrics.*field.member));
    }
    return bits;
}

}  // namespace dse::test
