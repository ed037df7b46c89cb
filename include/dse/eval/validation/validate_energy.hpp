#pragma once

#include <limits>
#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/validation/energy_row.hpp"
#include "dse/study/fidelity_spec.hpp"

namespace dse::eval {

/// Power and energy as predicted beside what was measured, of the devices alone.
struct EnergyComparison {
    EnergyRow row;
    double joules_per_token{std::numeric_limits<double>::quiet_NaN()};  ///< time predicted as well
    double power{std::numeric_limits<double>::quiet_NaN()};             ///< W, time predicted as well
    double power_at_pace{std::numeric_limits<double>::quiet_NaN()};     ///< W, at the measured throughput
    std::string why;  ///< why the row is not predicted; empty where it is

    [[nodiscard]] bool is_compared() const { return why.empty(); }
    // predicted / measured − 1
    [[nodiscard]] double energy_error() const {
        return joules_per_token / row.joules_per_token.value() - 1.0;
    }
    [[nodiscard]] double power_error() const { return power / row.power.value() - 1.0; }
    [[nodiscard]] double power_at_pace_error() const { return power_at_pace / row.power.value() - 1.0; }
};

/// Predicts every row whose model and machine are described: decode steps of the mean batch at the mean
/// context, and the prefill of as many prompts as end. Nothing is fitted here.
std::vector<EnergyComparison> validate_energy(const std::vector<EnergyRow>& rows, const EnergyFacts& facts,
                                              const config::Library& library,
                                              const study::FidelitySpec& fidelity = {});

/// Errors over some rows.
struct EnergySummary {
    struct Errors {
        double median{0};  ///< of the absolute error
        double mean{0};    ///< likewise
        double bias{0};    ///< median
    };
    std::string name;
    std::size_t rows{0};
    Errors energy;         ///< joules a token
    Errors power;          ///< time predicted as well
    Errors power_at_pace;  ///< at the measured throughput
};

/// By device and kind of model; all (last).
std::vector<EnergySummary> summarize(const std::vector<EnergyComparison>& comparisons);

}  // namespace dse::eval
