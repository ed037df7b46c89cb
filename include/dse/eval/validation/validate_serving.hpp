#pragma once

#include <limits>
#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/validation/serving_facts.hpp"
#include "dse/eval/validation/serving_row.hpp"
#include "dse/study/fidelity_spec.hpp"

namespace dse::eval {

/// A deployment beside what was measured of it, all in s.
struct ServingComparison {
    ServingRow row;
    double weight{1.0};  ///< of a configuration that was measured several times, shared by its rows
    double ttft{std::numeric_limits<double>::quiet_NaN()};  ///< predicted
    double tpot{std::numeric_limits<double>::quiet_NaN()};  ///< the same
    std::string model_template{};
    /// Half an interval of 80 %, of the logarithm of measured over predicted; 0 where no errors are known.
    double ttft_width{0.0};
    double tpot_width{0.0};
    bool overloaded{false};  ///< as measured: requests wait for most of their time
    std::string why;         ///< why the row is not predicted; empty where it is

    [[nodiscard]] bool is_compared() const { return why.empty(); }
    // predicted / measured − 1
    [[nodiscard]] double ttft_error() const { return ttft / row.ttft.value_or(0.0) - 1.0; }
    [[nodiscard]] double tpot_error() const { return tpot / row.tpot.value_or(0.0) - 1.0; }
    /// Of a request from its arrival to its last token, which a closed loop's throughput is the inverse of.
    [[nodiscard]] double request_error() const;
};

/// Predicts every deployment whose sizes are to be trusted: its engine as the facts have it, its client
/// emulated (a closed loop that begins all at once, lengths drawn as the source draws them). Nothing is
/// fitted here.
std::vector<ServingComparison> validate_serving(const std::vector<ServingRow>& rows,
                                                const ServingFacts& facts, const config::Library& library,
                                                const study::FidelitySpec& fidelity = {});

/// Medians over some deployments, by weight.
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
    Errors ttft;     ///< of those that are not overloaded
    Errors request;  ///< alike
};

/// By model, device and engine; pools apart and one pool; all (last).
std::vector<ServingSummary> summarize(const std::vector<ServingComparison>& comparisons);

}  // namespace dse::eval
