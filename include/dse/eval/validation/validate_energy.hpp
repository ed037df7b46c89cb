#pragma once

#include <limits>
#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/validation/energy_row.hpp"
#include "dse/study/fidelity_spec.hpp"

namespace dse::eval {

/// Predicted power and energy and the corresponding measurement, for the devices alone.
struct EnergyComparison {
    EnergyRow row;
    double joules_per_token{std::numeric_limits<double>::quiet_NaN()};  ///< at the predicted throughput
    double power{std::numeric_limits<double>::quiet_NaN()};             ///< W, at the predicted throughput
    double power_at_pace{std::numeric_limits<double>::quiet_NaN()};     ///< W, at the measured throughput
    /// Of one device at the measured throughput: what its operations and messages draw [W], and the bytes of
    /// memory that it moves a second. With `active` and `per_memory_byte` of the device they make
    /// `power_at_pace`, below the tdp (analysis/dse_analysis/fit_server_power.py).
    double operations_power{std::numeric_limits<double>::quiet_NaN()};
    double bytes_per_second{std::numeric_limits<double>::quiet_NaN()};
    std::string why;  ///< why the row is not predicted; empty if it is

    [[nodiscard]] bool is_compared() const { return why.empty(); }
    // predicted / measured − 1
    [[nodiscard]] double energy_error() const {
        return joules_per_token / row.joules_per_token.value() - 1.0;
    }
    [[nodiscard]] double power_error() const { return power / row.power.value() - 1.0; }
    [[nodiscard]] double power_at_pace_error() const { return power_at_pace / row.power.value() - 1.0; }
};

/// Predicts every row whose model and machine are described: decode steps of the mean batch at the mean
/// context, and the prefill of one prompt per completed request. Nothing is fitted here.
std::vector<EnergyComparison> validate_energy(const std::vector<EnergyRow>& rows, const EnergyFacts& facts,
                                              const config::Library& library,
                                              const study::FidelitySpec& fidelity = {});

/// Errors over a set of rows.
struct EnergySummary {
    struct Errors {
        double median{0};  ///< median absolute error
        double mean{0};    ///< mean absolute error
        double bias{0};    ///< median error
    };
    std::string name;
    std::size_t rows{0};
    Errors energy;         ///< of energy per token
    Errors power;          ///< at the predicted throughput
    Errors power_at_pace;  ///< at the measured throughput
};

/// Summaries by device and kind of model, and over all rows (last).
std::vector<EnergySummary> summarize(const std::vector<EnergyComparison>& comparisons);

}  // namespace dse::eval
