#include "dse/study/uncertain_spec.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "dse/base/normal_distribution.hpp"
#include "dse/base/seed.hpp"
#include "dse/metrics/metrics.hpp"

namespace dse::study {
namespace {

double unit(std::uint64_t bits) {
    return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

}  // namespace

double UncertainField::at(double u) const {
    if (distribution == Distribution::uniform) return first + u * (second - first);
    return first + second * normal_quantile(u);
}

std::vector<std::vector<double>> UncertainSpec::places(std::uint64_t seed) const {
    const auto count = static_cast<std::size_t>(draws);
    std::vector<std::vector<double>> result(count, std::vector<double>(fields.size()));
    for (std::size_t field = 0; field < fields.size(); ++field) {
        std::mt19937_64 random{mixed(seed + (field + 1) * golden_gamma)};
        std::vector<std::size_t> strata(count);
        std::iota(strata.begin(), strata.end(), std::size_t{0});
        for (std::size_t i = count; i > 1; --i) std::swap(strata[i - 1], strata[random() % i]);
        for (std::size_t draw = 0; draw < count; ++draw) {
            const double inside = 0.5 * (unit(random()) + 0x1.0p-53) + 0.25;  // off the strata's ends
            result[draw][field] = (static_cast<double>(strata[draw]) + inside) / static_cast<double>(count);
        }
    }
    return result;
}

const std::vector<std::string>& statistic_suffixes() {
    static const std::vector<std::string> suffixes{"_mean", "_deviation", "_p10",
                                                   "_p50",  "_p90",       "_worst_decile"};
    return suffixes;
}

std::string metric_of_statistic(const std::string& name) {
    const auto fields = metrics::metric_fields();
    const auto is_metric = [&](std::string_view text) {
        return std::any_of(fields.begin(), fields.end(),
                           [&](const auto& field) { return field.name == text; });
    };
    if (is_metric(name)) return name;
    for (const std::string& suffix : statistic_suffixes()) {
        if (!name.ends_with(suffix)) continue;
        std::string metric = name.substr(0, name.size() - suffix.size());
        if (is_metric(metric)) return metric;
    }
    return name;
}

std::vector<space::AddedMetric> statistic_columns(const UncertainSpec& spec) {
    std::vector<space::AddedMetric> columns{{"feasible_share", "1"}};
    for (const metrics::Objective& metric : spec.of) {
        const std::string unit{metrics::metric_field(metric.metric).unit};
        for (const std::string& suffix : statistic_suffixes())
            columns.push_back({metric.metric + suffix, unit});
    }
    return columns;
}

}  // namespace dse::study
