#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "dse/base/statistics.hpp"
#include "dse/eval/error_interval.hpp"
#include "dse/eval/validation/validate.hpp"
#include "dse/metrics/rank_correlation.hpp"

namespace dse::eval {
namespace {

struct Sample {
    const Comparison* comparison{nullptr};
    double weight{1.0};
};

/// Identifies a configuration; one that was measured with several releases counts once.
auto configuration_of(const TruthRow& row) {
    return std::tuple(row.model, row.chip, row.gpus, row.tp, row.pp, row.virtual_stages, row.cp, row.ep,
                      row.zero, row.global_batch, row.microbatch, row.sequence, row.precision, row.recompute,
                      row.sequence_parallel, row.metric);
}

/// Whether a row has an error. An upper bound of memory has none.
bool has_error(const Comparison& comparison) {
    return comparison.is_compared() && !comparison.is_cell() && !comparison.is_bound() &&
           comparison.row.weight > 0.0;
}

/// Whether its error counts.
bool counts_in_summary(const Comparison& comparison) {
    return has_error(comparison) && comparison.set_aside.empty();
}

/// The rows of time, or of memory, that count.
std::vector<Sample> samples_of(const std::vector<Comparison>& comparisons, bool memory) {
    const std::vector<double> weights = shared_weights(comparisons);
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
        if (counts_in_summary(comparisons[i]) && comparisons[i].is_memory() == memory)
            samples.push_back({&comparisons[i], weights[i]});
    }
    return samples;
}

template <class Value>
double weighted_mean(const std::vector<Sample>& samples, Value&& value) {
    double sum = 0.0;
    double weights = 0.0;
    for (const Sample& sample : samples) {
        sum += sample.weight * value(*sample.comparison);
        weights += sample.weight;
    }
    return weights > 0.0 ? sum / weights : std::nan("");
}

/// Quantile of the absolute error.
double quantile_absolute(const std::vector<Sample>& samples, double share) {
    std::vector<std::pair<double, double>> errors;
    errors.reserve(samples.size());
    for (const Sample& sample : samples)
        errors.emplace_back(std::abs(sample.comparison->error()), sample.weight);
    return weighted_quantile(std::move(errors), share);
}

/// Half of the interval between the bars, relative to the prediction.
double width(const Comparison& comparison) {
    return (comparison.high - comparison.low) / (2.0 * comparison.predicted);
}

/// Selects the rows with error bars.
std::vector<Sample> with_bars(std::vector<Sample> samples) {
    std::erase_if(samples, [](const Sample& sample) { return std::isnan(sample.comparison->low); });
    return samples;
}

double median_width(const std::vector<Sample>& samples) {
    std::vector<double> widths;
    widths.reserve(samples.size());
    for (const Sample& sample : samples) widths.push_back(width(*sample.comparison));
    if (widths.empty()) return std::nan("");
    const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
    std::nth_element(widths.begin(), middle, widths.end());
    return *middle;
}

double rank_correlation(const std::vector<Sample>& samples) {
    std::vector<double> predicted;
    std::vector<double> measured;
    for (const Sample& sample : samples) {
        predicted.push_back(sample.comparison->predicted);
        measured.push_back(sample.comparison->measured);
    }
    return metrics::rank_correlation(predicted, measured);
}

/// Seconds a token on one device: what configurations of one model are compared by.
double time_of_token(const Comparison& comparison, double seconds) {
    const TruthRow& row = comparison.row;
    return seconds * row.gpus.value_or(1) / (row.global_batch.value_or(1) * row.sequence.value_or(1));
}

bool is_of_one_problem(const TruthRow& a, const TruthRow& b) {
    return a.model == b.model && a.sequence == b.sequence && a.is_prefill() == b.is_prefill() &&
           configuration_of(a) != configuration_of(b);
}

/// Measured and predicted, how much longer one takes than the other.
struct Ratios {
    double measured{1.0};
    double predicted{1.0};
};

Ratios ratios_of(const Comparison& a, const Comparison& b) {
    return {time_of_token(a, a.measured) / time_of_token(b, b.measured),
            time_of_token(a, a.predicted) / time_of_token(b, b.predicted)};
}

/// Of independent errors.
ErrorInterval errors_of_ratio(const Comparison& a, const Comparison& b) {
    return ratio(interval_between(a.low, a.high, a.predicted), interval_between(b.low, b.high, b.predicted),
                 0.0);
}

void count_pair(const Comparison& a, const Comparison& b, ErrorSummary& summary) {
    const Ratios ratios = ratios_of(a, b);
    const double difference = std::max(ratios.measured, 1.0 / ratios.measured) - 1.0;
    const bool is_reversed = (ratios.measured - 1.0) * (ratios.predicted - 1.0) < 0.0;
    if (difference > clear_difference) {
        ++summary.pairs;
        if (is_reversed) summary.reversed.emplace_back(a.row.id, b.row.id);
    }
    const ErrorInterval errors = errors_of_ratio(a, b);
    const double longer = std::log(ratios.predicted) + errors.shift;
    if (errors.width > 0.0 && std::abs(longer) > errors.width) {
        ++summary.sure;
        if ((ratios.measured - 1.0) * longer >= 0.0) return;
        summary.sure_reversed.emplace_back(a.row.id, b.row.id);
        summary.largest_reversed = std::max(summary.largest_reversed, difference);
    }
}

void count_pairs(const std::vector<Sample>& samples, ErrorSummary& summary) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Comparison& a = *samples[i].comparison;
            const Comparison& b = *samples[j].comparison;
            if (is_of_one_problem(a.row, b.row)) count_pair(a, b, summary);
        }
    }
}

double mfu(const Comparison& comparison) {
    return comparison.model_flop / (comparison.peak_flop * comparison.measured);
}

double error_of_constant(const std::vector<Sample>& samples, double share) {
    return weighted_mean(
        samples, [&](const Comparison& comparison) { return std::abs(mfu(comparison) / share - 1.0); });
}

/// The constant MFU with the smallest mean absolute error. It is the MFU of some row, because the error is
/// linear in the inverse of the constant between these.
double best_constant(const std::vector<Sample>& samples) {
    double best = 0.0;
    double least = std::numeric_limits<double>::infinity();
    for (const Sample& sample : samples) {
        const double share = mfu(*sample.comparison);
        const double error = error_of_constant(samples, share);
        if (error < least) {
            least = error;
            best = share;
        }
    }
    return best;
}

/// Number of constants that were fitted to any of the rows.
std::size_t count_constants(const std::vector<Sample>& samples) {
    std::set<std::string> constants;
    for (const Sample& sample : samples)
        constants.insert(sample.comparison->constants.begin(), sample.comparison->constants.end());
    return constants.size();
}

ErrorSummary errors_of(Grouping grouping, const std::string& name, const std::vector<Sample>& samples) {
    ErrorSummary summary;
    summary.name = name;
    summary.grouping = grouping;
    summary.rows = samples.size();
    summary.constants = count_constants(samples);
    summary.mean_absolute = weighted_mean(samples, [](const Comparison& c) { return std::abs(c.error()); });
    summary.median_absolute = quantile_absolute(samples, 0.5);
    summary.ninetieth = quantile_absolute(samples, 0.9);
    summary.bias = weighted_mean(samples, [](const Comparison& c) { return c.error(); });
    const std::vector<Sample> barred = with_bars(samples);
    summary.inside = weighted_mean(barred, [](const Comparison& c) { return c.is_inside() ? 1.0 : 0.0; });
    summary.median_width = median_width(barred);
    summary.rank_correlation = rank_correlation(samples);
    return summary;
}

ErrorSummary summary_of(Grouping grouping, const std::string& name, const std::vector<Sample>& samples,
                        double constant, const std::map<std::string, double>& constant_of_chip) {
    ErrorSummary summary = errors_of(grouping, name, samples);
    count_pairs(samples, summary);
    summary.constant_mfu = error_of_constant(samples, constant);
    summary.constant_mfu_by_chip = weighted_mean(samples, [&](const Comparison& c) {
        return std::abs(mfu(c) / constant_of_chip.at(c.row.chip) - 1.0);
    });
    return summary;
}

/// As a row would have been predicted without its group, its bars with it.
Comparison as_left_out(const Comparison& comparison) {
    Comparison copy = comparison;
    copy.predicted = comparison.measured * (1.0 + comparison.left_out);
    copy.low *= copy.predicted / comparison.predicted;
    copy.high *= copy.predicted / comparison.predicted;
    return copy;
}

/// Of rows of which some are marked as calibration rows.
void add_roles(const std::string& name, const std::vector<Sample>& samples, double constant,
               const std::map<std::string, double>& constant_of_chip, std::vector<ErrorSummary>& summaries) {
    std::vector<Sample> calibration = samples;
    std::vector<Sample> validation = samples;
    std::erase_if(calibration, [](const Sample& sample) { return !sample.comparison->is_calibration; });
    std::erase_if(validation, [](const Sample& sample) { return sample.comparison->is_calibration; });
    if (calibration.empty()) return;
    const auto add = [&](const char* role, const std::vector<Sample>& rows) {
        if (!rows.empty())
            summaries.push_back(
                summary_of(Grouping::kind, name + ", " + role, rows, constant, constant_of_chip));
    };
    add("calibration", calibration);
    std::vector<Comparison> left_out;
    left_out.reserve(calibration.size());
    for (Sample& sample : calibration) {
        left_out.push_back(as_left_out(*sample.comparison));
        sample.comparison = &left_out.back();
    }
    add("left out", calibration);
    add("validation", validation);
}

/// Rows of training steps that are set aside, and all with them: what the others owe to their absence.
void add_set_aside(const std::vector<Comparison>& comparisons, std::vector<Sample> all,
                   std::vector<ErrorSummary>& summaries) {
    std::vector<Sample> aside;
    for (const Comparison& comparison : comparisons) {
        const bool is_step = !comparison.is_memory() && !comparison.row.is_prefill();
        if (is_step && has_error(comparison) && !counts_in_summary(comparison))
            aside.push_back({&comparison, comparison.row.weight});
    }
    if (aside.empty()) return;
    summaries.push_back(errors_of(Grouping::kind, "set aside", aside));
    all.insert(all.end(), aside.begin(), aside.end());
    summaries.push_back(errors_of(Grouping::kind, "all, and those set aside", all));
    count_pairs(all, summaries.back());
}

/// By what of a device's memory the rows state.
void add_memory(const std::vector<Comparison>& comparisons, std::vector<ErrorSummary>& summaries) {
    const std::vector<Sample> all = samples_of(comparisons, true);
    const auto add = [&](const char* metric, const char* name) {
        std::vector<Sample> samples = all;
        std::erase_if(samples, [&](const Sample& sample) { return sample.comparison->row.metric != metric; });
        if (!samples.empty()) summaries.push_back(errors_of(Grouping::memory, name, samples));
    };
    add("activation_per_gpu", "activations");
    add("params+grads+optimizer_per_gpu", "model states");
    add("peak_memory", "peaks");
    add("device_memory", "peaks by nvidia-smi");
}

/// Forward passes have errors of their own: no family of training steps is the better or worse for them.
void add_prefill(const std::vector<Sample>& prompts, std::vector<ErrorSummary>& summaries) {
    std::map<std::string, std::vector<Sample>> by_chip;
    for (const Sample& sample : prompts) by_chip[sample.comparison->row.chip].push_back(sample);
    std::map<std::string, double> constant_of_chip;
    for (const auto& [chip, samples] : by_chip) constant_of_chip[chip] = best_constant(samples);
    const double constant = best_constant(prompts);
    for (const auto& [chip, samples] : by_chip)
        summaries.push_back(
            summary_of(Grouping::prompts, "prefill, " + chip, samples, constant, constant_of_chip));
}

}  // namespace

std::vector<double> shared_weights(const std::vector<Comparison>& comparisons) {
    std::map<decltype(configuration_of(TruthRow{})), double> repeats;
    for (const Comparison& comparison : comparisons) {
        if (counts_in_summary(comparison)) repeats[configuration_of(comparison.row)] += 1.0;
    }
    std::vector<double> weights;
    weights.reserve(comparisons.size());
    for (const Comparison& comparison : comparisons) {
        const double rows = counts_in_summary(comparison) ? repeats[configuration_of(comparison.row)] : 1.0;
        weights.push_back(comparison.set_aside.empty() ? comparison.row.weight / rows : 0.0);
    }
    return weights;
}

std::vector<ErrorSummary> summarize(const std::vector<Comparison>& comparisons) {
    std::vector<Sample> all = samples_of(comparisons, false);
    std::vector<Sample> prompts = all;
    std::erase_if(all, [](const Sample& sample) { return sample.comparison->row.is_prefill(); });
    std::erase_if(prompts, [](const Sample& sample) { return !sample.comparison->row.is_prefill(); });
    std::map<std::string, std::vector<Sample>> by_source;
    std::map<std::string, std::vector<Sample>> by_chip;
    for (const Sample& sample : all) {
        by_source[sample.comparison->row.source.substr(0, 48)].push_back(sample);
        by_chip[sample.comparison->row.chip].push_back(sample);
    }
    const double constant = best_constant(all);
    std::map<std::string, double> constant_of_chip;
    for (const auto& [chip, samples] : by_chip) constant_of_chip[chip] = best_constant(samples);
    std::vector<ErrorSummary> summaries;
    summaries.reserve(by_source.size() + by_chip.size());
    for (const auto& [source, samples] : by_source) {
        summaries.push_back(summary_of(Grouping::source, source, samples, constant, constant_of_chip));
    }
    if (by_chip.size() > 1) {
        for (const auto& [chip, samples] : by_chip)
            summaries.push_back(summary_of(Grouping::chip, chip, samples, constant, constant_of_chip));
    }
    for (const bool experts : {false, true}) {
        std::vector<Sample> family = all;
        std::erase_if(
            family, [&](const Sample& sample) { return sample.comparison->row.experts.empty() == experts; });
        if (family.empty() || family.size() == all.size()) continue;
        const char* name = experts ? "mixtures of experts" : "dense models";
        summaries.push_back(summary_of(Grouping::kind, name, family, constant, constant_of_chip));
        add_roles(name, family, constant, constant_of_chip, summaries);
    }
    summaries.push_back(summary_of(Grouping::kind, "all", all, constant, constant_of_chip));
    add_set_aside(comparisons, all, summaries);
    add_memory(comparisons, summaries);
    add_prefill(prompts, summaries);
    return summaries;
}

}  // namespace dse::eval
