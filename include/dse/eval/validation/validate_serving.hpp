#pragma once

#include <limits>
#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/error_interval.hpp"
#include "dse/eval/validation/serving_facts.hpp"
#include "dse/eval/validation/serving_row.hpp"
#include "dse/study/fidelity_spec.hpp"

namespace dse::eval {

/// The prediction of a deployment and the corresponding measurement, in s.
struct ServingComparison {
    ServingRow row;
    double weight{1.0};  ///< repeated measurements of a configuration share its weight
    double ttft{std::numeric_limits<double>::quiet_NaN()};  ///< predicted
    double tpot{std::numeric_limits<double>::quiet_NaN()};  ///< the same
    std::string model_template{};
    ErrorInterval ttft_bars{};
    ErrorInterval tpot_bars{};
    bool overloaded{false};  ///< as measured: requests wait for most of their time
    std::string why;         ///< why the row is not predicted; empty where it is

    [[nodiscard]] bool is_compared() const { return why.empty(); }
    // predicted / measured − 1
    [[nodiscard]] double ttft_error() const { return ttft / row.ttft.value_or(0.0) - 1.0; }
    [[nodiscard]] double tpot_error() const { return tpot / row.tpot.value_or(0.0) - 1.0; }
    /// Error of the time from a request's arrival to its last token, which determines the throughput of a
    /// closed loop.
    [[nodiscard]] double request_error() const;
};

/// Predicts every deployment whose parallelism is reliable. The engine is configured from the facts; the
/// client is emulated as a closed loop whose requests all start at once, with lengths drawn as in the source.
/// Nothing is fitted here.
std::vector<ServingComparison> validate_serving(const std::vector<ServingRow>& rows,
                                                const ServingFacts& facts, const config::Library& library,
                                                const study::FidelitySpec& fidelity = {});

/// Weighted medians over a set of deployments.
struct ServingSummary {
    struct Errors {
        std::size_t rows{0};
        double median{0};  ///< of the absolute error
        double bias{0};    ///< median
        double inside{0};  ///< share of the rows whose bars hold what was measured; NaN without bars
        double width{0};   ///< median half of the interval, of the logarithm
    };
    std::string name;
    Errors tpot;
    Errors ttft;     ///< of deployments that are not overloaded
    Errors request;  ///< of deployments that are not overloaded
};

/// Summaries by model, device and engine; for one pool and for two pools; and over all deployments (last).
std::vector<ServingSummary> summarize(const std::vector<ServingComparison>& comparisons);

}  // namespace dse::eval
