#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/validation/truth_row.hpp"
#include "dse/eval/validation/truth_source.hpp"
#include "dse/study/fidelity_spec.hpp"

namespace dse::eval {

/// A prediction and the corresponding measurement.
struct Comparison {
    TruthRow row;
    double predicted{std::numeric_limits<double>::quiet_NaN()};  ///< s per iteration; bytes for memory rows
    double measured{std::numeric_limits<double>::quiet_NaN()};   ///< in the same unit
    /// 80 % interval for the measured value; NaN if no errors are known for this kind of row.
    double low{std::numeric_limits<double>::quiet_NaN()};
    double high{std::numeric_limits<double>::quiet_NaN()};
    std::string device{};  ///< device of the cluster that the prediction uses
    std::string stack{};   ///< software stack that the prediction uses
    std::string model_template{};
    double model_flop{0};       ///< per iteration, over all devices
    double peak_flop{0};        ///< per second, over all devices, in the row's precision
    double memory_peak{0};      ///< predicted, of the fullest device, in bytes
    double memory_capacity{0};  ///< of a device, in bytes
    double probability_fits{std::numeric_limits<double>::quiet_NaN()};
    std::string why;  ///< why the row is not predicted; empty where it is
    /// Why the row, which is predicted, counts in no summary of the others (TruthSource::set_aside): its own
    /// series contradicts it, or it runs software that no stack describes. Empty for the others.
    std::string set_aside{};
    /// Whether a constant that the prediction depends on was fitted to rows that include this one; LeftOut.
    bool is_calibration{false};
    std::vector<std::string> constants{};  ///< these constants, `file.key` each
    /// error() under constants fitted without the row's group; NaN for rows that no constant was fitted to.
    double left_out{std::numeric_limits<double>::quiet_NaN()};

    [[nodiscard]] bool is_compared() const { return why.empty(); }
    [[nodiscard]] bool is_memory() const;  ///< whether the row states memory of any kind
    [[nodiscard]] bool is_cell() const;    ///< whether the row only states if a run fitted into memory
    [[nodiscard]] bool ran() const { return row.metric != "out_of_memory"; }
    /// Whether the run is predicted to fit into memory.
    [[nodiscard]] bool fits() const { return memory_peak <= memory_capacity; }
    /// Whether the measured value is only an upper bound: the run is known to have fitted into that memory.
    [[nodiscard]] bool is_bound() const { return row.metric == "peak_memory_upper_bound"; }
    /// Whether the measured value is within the error bars.
    [[nodiscard]] bool is_inside() const { return low <= measured && measured <= high; }
    /// predicted / measured − 1
    [[nodiscard]] double error() const { return predicted / measured - 1.0; }
};

/// What configurations differ by when their order matters.
constexpr double clear_difference = 0.15;

/// What the rows of a summary have in common. Kinds are kinds of models, the parts of each (calibration rows,
/// these left out, validation rows), all rows together, and those set aside, alone and with all others.
enum class Grouping : std::uint8_t { source, chip, kind, prompts, memory };

/// Errors over some rows, each with its shared weight: a configuration that was measured several times counts
/// once.
struct ErrorSummary {
    std::string name;
    Grouping grouping{Grouping::kind};
    std::size_t rows{0};
    std::size_t constants{0};  ///< that any of the rows was used to fit, as left_out.csv names them
    double mean_absolute{0};
    double median_absolute{0};
    double ninetieth{0};         ///< 90th percentile of the absolute error
    double bias{0};              ///< mean error
    double rank_correlation{0};  ///< Spearman's, of predicted and measured time; NaN under three rows
    /// Pairs of configurations of one model and sequence whose measured tokens per second and device differ
    /// by more than `clear_difference`, and those of them that are predicted the other way round.
    std::size_t pairs{0};
    std::vector<std::pair<std::string, std::string>> reversed{};  ///< ids
    /// Pairs of such configurations, whatever their difference as measured, that are predicted to differ
    /// surely: by more than the bars of both together, as of independent errors. And those of them that were
    /// measured the other way round, with the largest of their differences, as a share.
    std::size_t sure{0};
    std::vector<std::pair<std::string, std::string>> sure_reversed{};  ///< ids
    double largest_reversed{0.0};
    double inside{0};        ///< share of the rows whose bars hold what was measured; NaN without bars
    double median_width{0};  ///< half of the interval between the bars, over what is predicted
    /// The two together say whether bars are honest: of 80 %, they hold four rows of five at a width of no
    /// more than two and a half median errors.
    [[nodiscard]] double width_over_median() const { return median_width / median_absolute; }
    /// Mean absolute error of the best single share of the peak, the same rows; NaN for rows of memory.
    double constant_mfu{std::numeric_limits<double>::quiet_NaN()};
    double constant_mfu_by_chip{std::numeric_limits<double>::quiet_NaN()};
};

/// Runs that are known to have fitted into memory or not, and how many of them are predicted incorrectly.
struct RefusalSummary {
    std::size_t ran{0};
    std::vector<std::string> ran_refused{};  ///< ids
    std::size_t out_of_memory{0};
    std::vector<std::string> out_of_memory_accepted{};  ///< ids
};

/// Summary over the compared rows with weight > 0. Rows that state a closed form of memory instead of a run
/// are not counted.
RefusalSummary refusals(const std::vector<Comparison>& comparisons);

/// Predicts every row from its configuration, the stack of its source, and the constants of its device and
/// cluster. Nothing is fitted here.
/// \param fidelity  names of existing models and engines
std::vector<Comparison> validate(const std::vector<TruthRow>& rows, const std::vector<TruthSource>& sources,
                                 const config::Library& library, const study::FidelitySpec& fidelity = {});

/// What each row counts in means over rows: its weight, which it shares with the other rows of the same
/// configuration and metric (other releases, repeats). Rows that are not compared have their own weight,
/// those set aside none.
std::vector<double> shared_weights(const std::vector<Comparison>& comparisons);

/// The compared rows with weight above 0. Of time: by source, by chip and dense models and mixtures of
/// experts where there are several, all together, and prompts by chip; of memory: by what they state. Where
/// calibration rows are marked: of each kind these, the same with the errors that they have when they are
/// left out, and the others. Rows of time that are set aside count in two summaries of their own.
std::vector<ErrorSummary> summarize(const std::vector<Comparison>& comparisons);

}  // namespace dse::eval
