#pragma once

#include <limits>
#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/validation/truth_row.hpp"
#include "dse/eval/validation/truth_source.hpp"
#include "dse/study/fidelity_spec.hpp"

namespace dse::eval {

/// A prediction beside a measurement.
struct Comparison {
    TruthRow row;
    double predicted{std::numeric_limits<double>::quiet_NaN()};  ///< s an iteration; B for a row of memory
    double measured{std::numeric_limits<double>::quiet_NaN()};   ///< the same
    double model_flop{0};                                        ///< of the iteration, all devices
    double peak_flop{0};        ///< per second, all devices, in the row's precision
    double memory_peak{0};      ///< predicted, of the fullest device, bytes
    double memory_capacity{0};  ///< of a device, bytes
    std::string why;            ///< why the row is not predicted; empty where it is

    [[nodiscard]] bool is_compared() const { return why.empty(); }
    [[nodiscard]] bool is_memory() const;  ///< a row of memory, of whatever kind
    /// Whether the run, which is known to have run, fits as predicted.
    [[nodiscard]] bool fits() const { return memory_peak <= memory_capacity; }
    /// A memory that the run must have fitted into, as it is known to have run: no more is known of it.
    [[nodiscard]] bool is_bound() const { return row.metric == "peak_memory_upper_bound"; }
    /// predicted / measured − 1, on time.
    [[nodiscard]] double error() const { return predicted / measured - 1.0; }
};

/// Errors over some rows; a configuration that was measured several times counts as often as its weights say.
struct ErrorSummary {
    std::string name;
    std::size_t rows{0};
    double mean_absolute{0};
    double median_absolute{0};
    double ninetieth{0};         ///< absolute error that 90 % of the rows stay within
    double bias{0};              ///< mean error
    double rank_correlation{0};  ///< Spearman's, of predicted and measured time; NaN under three rows
    double constant_mfu{0};      ///< mean absolute error of the best single share of the peak, the same rows
    double constant_mfu_by_chip{0};
};

/// Predicts every row from its configuration, the stack of its source, and the constants of its device and
/// cluster. Nothing is fitted here.
/// \param fidelity  names of models and engines that there are
std::vector<Comparison> validate(const std::vector<TruthRow>& rows, const std::vector<TruthSource>& sources,
                                 const config::Library& library, const study::FidelitySpec& fidelity = {});

/// The compared rows of time with weight above 0: by source, dense models and mixtures of experts where there
/// are both, and all together (last).
std::vector<ErrorSummary> summarize(const std::vector<Comparison>& comparisons);

}  // namespace dse::eval
