#include "dse/metrics/axis_effects.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "dse/base/check.hpp"
#include "dse/base/seed.hpp"
#include "dse/base/statistics.hpp"
#include "dse/metrics/rank_correlation.hpp"

namespace dse::metrics {
namespace {

using Keys = std::vector<std::uint64_t>;

/// Sums over a group of rows.
struct Group {
    double sum{0.0};
    double squares{0.0};
    std::size_t rows{0};
};

/// Values minus their mean, so that sums of squares lose no digits.
std::vector<double> centred(std::span<const double> values) {
    const double middle = mean(values);
    std::vector<double> result(values.begin(), values.end());
    for (double& value : result) value -= middle;
    return result;
}

double square_sum(std::span<const double> values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

void add(double value, Group& group) {
    group.sum += value;
    group.squares += value * value;
    ++group.rows;
}

std::vector<Group> groups_of(const Keys& keys, std::span<const double> values) {
    std::vector<Group> groups;
    // Small keys index a dense array; others need a hash table.
    if (*std::max_element(keys.begin(), keys.end()) < 4 * keys.size()) {
        groups.resize(4 * keys.size());
        for (std::size_t row = 0; row < keys.size(); ++row) add(values[row], groups[keys[row]]);
        std::erase_if(groups, [](const Group& group) { return group.rows == 0; });
        return groups;
    }
    std::unordered_map<std::uint64_t, std::size_t> place;
    for (std::size_t row = 0; row < keys.size(); ++row) {
        const auto [found, fresh] = place.emplace(keys[row], groups.size());
        if (fresh) groups.emplace_back();
        add(values[row], groups[found->second]);
    }
    return groups;
}

/// Share of the variance between groups, corrected for chance.
/// \param values  with mean 0
double between(const Keys& keys, std::span<const double> values, bool full) {
    const double all = square_sum(values);
    const std::vector<Group> groups = groups_of(keys, values);
    double sum = 0.0;
    for (const Group& group : groups) sum += group.sum * group.sum / static_cast<double>(group.rows);
    if (full) return sum / all;
    const double freedom = static_cast<double>(values.size()) - static_cast<double>(groups.size());
    if (freedom <= 0.0) return 0.0;  // with one row per group, chance explains as much
    const double noise = (all - sum) / freedom;
    return std::max(0.0, (sum - (static_cast<double>(groups.size()) - 1.0) * noise) / all);
}

/// Sets the variance within groups of several rows, as a share of the total.
void set_total(const Keys& others, std::span<const double> values, AxisEffect& effect) {
    double sum = 0.0;
    std::size_t seen = 0;
    for (const Group& group : groups_of(others, values)) {
        if (group.rows < 2) continue;
        sum += std::max(0.0, group.squares - group.sum * group.sum / static_cast<double>(group.rows));
        seen += group.rows;
    }
    const auto rows = static_cast<double>(values.size());
    effect.seen = static_cast<double>(seen) / rows;
    if (seen > 0) effect.total = sum / static_cast<double>(seen) / (square_sum(values) / rows);
}

std::uint64_t hash_of(std::uint32_t place, std::size_t axis) {
    return mixed(place + mixed(axis + golden_gamma));
}

/// Keys of the rows over one or two axes.
Keys keys_of(const std::vector<std::uint32_t>& one, const std::vector<std::uint32_t>& other) {
    const std::uint64_t width = std::uint64_t{*std::max_element(other.begin(), other.end())} + 1;
    Keys keys(one.size());
    for (std::size_t row = 0; row < keys.size(); ++row) keys[row] = one[row] * width + other[row];
    return keys;
}

/// Keys of the rows over some axes: equal keys for equal values.
Keys keys_of(std::span<const std::vector<std::uint32_t>> places, const std::vector<std::size_t>& axes) {
    Keys keys(places.front().size(), 0);
    for (const std::size_t axis : axes) {
        for (std::size_t row = 0; row < keys.size(); ++row) keys[row] += hash_of(places[axis][row], axis);
    }
    return keys;
}

std::vector<std::size_t> all_but(std::size_t axis, std::size_t count) {
    std::vector<std::size_t> axes;
    for (std::size_t other = 0; other < count; ++other) {
        if (other != axis) axes.push_back(other);
    }
    return axes;
}

/// Whether the rows are all combinations of the occurring values, each once.
bool is_full_grid(std::span<const std::vector<std::uint32_t>> places) {
    double size = 1.0;
    for (const auto& axis : places) {
        const std::unordered_set<std::uint32_t> distinct{axis.begin(), axis.end()};
        size *= static_cast<double>(distinct.size());
    }
    return size == static_cast<double>(places.front().size());
}

std::optional<double> trend_of(const std::vector<std::uint32_t>& places, std::span<const double> values) {
    const std::vector<double> x(places.begin(), places.end());
    const double trend = rank_correlation(x, values);
    if (std::isnan(trend)) return std::nullopt;
    return trend;
}

}  // namespace

AxisEffects::AxisEffects(std::span<const std::vector<std::uint32_t>> places, std::span<const double> values)
    : axes_(places.size()) {
    constant_ = values.empty() ||
                std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
    if (constant_ || places.empty()) return;
    DSE_REQUIRE(places.front().size() == values.size());
    const std::vector<double> residues = centred(values);
    const std::vector<double> ranks = centred(dse::ranks(values));
    const bool full = is_full_grid(places);
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
        const Keys keys{places[axis].begin(), places[axis].end()};
        AxisEffect& effect = axes_[axis];
        effect.first = between(keys, residues, full);
        effect.first_rank = between(keys, ranks, full);
        set_total(keys_of(places, all_but(axis, places.size())), residues, effect);
        effect.trend = trend_of(places[axis], values);
    }
    for (std::size_t one = 0; one < places.size(); ++one) {
        for (std::size_t other = one + 1; other < places.size(); ++other) {
            const double both = between(keys_of(places[one], places[other]), residues, full);
            interactions_.push_back(
                {one, other, std::max(0.0, both - axes_[one].first - axes_[other].first)});
        }
    }
    std::stable_sort(interactions_.begin(), interactions_.end(),
                     [](const Interaction& a, const Interaction& b) { return a.share > b.share; });
}

}  // namespace dse::metrics
