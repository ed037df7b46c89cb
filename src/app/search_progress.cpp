#include "app/search_progress.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "app/human.hpp"
#include "dse/metrics/hypervolume.hpp"
#include "dse/space/registry.hpp"

namespace dse::app {
namespace {

constexpr std::array shares{0.5, 0.9, 0.99, 1.0};

bool is_answer(std::span<const double> row) {
    return std::all_of(row.begin(), row.end(), [](double cost) { return std::isfinite(cost); });
}

/// Rows that no earlier row equals or dominates, with their indices among all rows.
struct Gains {
    std::vector<std::size_t> places;
    metrics::CostTable costs;
};

Gains gains_of(const metrics::CostTable& costs) {
    Gains gains{{}, metrics::CostTable{costs.objectives()}};
    std::vector<std::size_t> front;
    for (std::size_t row = 0; row < costs.size(); ++row) {
        if (!is_answer(costs[row])) continue;
        const auto is_met = [&](std::size_t other) {
            return std::ranges::equal(costs[other], costs[row], std::less_equal<>{});
        };
        if (std::any_of(front.begin(), front.end(), is_met)) continue;
        std::erase_if(front, [&](std::size_t other) { return metrics::dominates(costs[row], costs[other]); });
        front.push_back(row);
        gains.places.push_back(row);
        gains.costs.add(costs[row]);
    }
    return gains;
}

/// Computes the hypervolume of a search after its first gains.
class VolumeOfGains {
  public:
    VolumeOfGains(const metrics::CostTable& all, const metrics::CostTable& gains) : gains_{gains} {
        const std::size_t objectives = all.objectives();
        std::vector<double> low(objectives, std::numeric_limits<double>::infinity());
        reference_.assign(objectives, -std::numeric_limits<double>::infinity());
        for (std::size_t row = 0; row < all.size(); ++row) {
            if (!is_answer(all[row])) continue;
            for (std::size_t i = 0; i < objectives; ++i) {
                low[i] = std::min(low[i], all[row][i]);
                reference_[i] = std::max(reference_[i], all[row][i]);
            }
        }
        for (std::size_t i = 0; i < objectives; ++i) {
            logarithmic_.push_back(low[i] > 0.0);
            reference_[i] = logarithmic_[i] ? std::log(1.1 * reference_[i])
                                            : reference_[i] + 0.1 * std::abs(reference_[i]);
        }
    }

    [[nodiscard]] double after(std::size_t gains) const {
        metrics::CostTable table{reference_.size()};
        std::vector<double> row(reference_.size());
        for (std::size_t gain = 0; gain < gains; ++gain) {
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] = logarithmic_[i] ? std::log(gains_[gain][i]) : gains_[gain][i];
            table.add(row);
        }
        return metrics::hypervolume(table, reference_);
    }

  private:
    const metrics::CostTable& gains_;
    std::vector<double> reference_;
    std::vector<bool> logarithmic_;
};

/// For more rows, the progress says little about the search, and takes much memory.
constexpr std::size_t most_rows = 1'000'000;

std::string method_of(const results::Table& table) {
    std::string methods;
    for (const auto& [name, value] : table.schema.sweep.facts) {
        if (name == "search.method") methods = value;
        if (name.starts_with("search.then.")) methods += ", " + value;
    }
    return methods;
}

/// The columns of a subset of the objectives.
metrics::CostTable columns_of(const metrics::CostTable& costs, const std::vector<metrics::Objective>& all,
                              const std::vector<metrics::Objective>& some) {
    metrics::CostTable table{some.size()};
    std::vector<double> row;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        row.clear();
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (std::find(some.begin(), some.end(), all[k]) != some.end()) row.push_back(costs[i][k]);
        }
        table.add(row);
    }
    return table;
}

}  // namespace

SearchCourse::SearchCourse(const results::Table& columns)
    : method_{method_of(columns)},
      objectives_{columns.schema.sweep.objectives},
      costs_{std::max<std::size_t>(objectives_.size(), 1)},
      watches_{!method_.empty() && !space::walks_grid(method_) && !objectives_.empty()} {}

void SearchCourse::add(const results::Table& block, std::span<const space::Status> status) {
    watches_ = watches_ && costs_.size() + block.rows() <= most_rows;
    if (!watches_) return;
    const metrics::CostTable costs = results::costs(block, objectives_, status);
    for (std::size_t row = 0; row < costs.size(); ++row) costs_.add(costs[row]);
}

std::optional<SearchProgress> SearchCourse::progress(
    const std::vector<metrics::Objective>& objectives) const {
    if (!watches_ || objectives.empty()) return std::nullopt;
    const metrics::CostTable costs = columns_of(costs_, objectives_, objectives);
    const Gains gains = gains_of(costs);
    if (gains.places.empty()) return std::nullopt;
    const VolumeOfGains volume{costs, gains.costs};
    const double whole = volume.after(gains.places.size());
    std::vector<std::size_t> numbers(gains.places.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{1});
    SearchProgress progress{method_, {}};
    for (const double share : shares) {
        const auto first = std::partition_point(numbers.begin(), numbers.end() - 1, [&](std::size_t number) {
            return volume.after(number) < share * whole;
        });
        progress.marks.push_back({share, gains.places[*first - 1] + 1});
    }
    return progress;
}

std::string to_text(const SearchProgress& progress, std::uint64_t points) {
    std::string text = fmt::format("Search {}:", progress.method);
    for (const SearchProgress::Mark& mark : progress.marks) {
        const bool first = &mark == &progress.marks.front();
        text +=
            fmt::format("{} {} {}after {}{}", first ? "" : ",", fmt::format("{:g} %", 100.0 * mark.share),
                        first ? "of its hypervolume " : "", human_count(mark.points), first ? " points" : "");
    }
    return text + fmt::format(" of {}\n", human_count(points));
}

Json to_json(const SearchProgress& progress) {
    Json json{{"method", progress.method}, {"rows", Json::array()}};
    for (const SearchProgress::Mark& mark : progress.marks)
        json["rows"].push_back(Json{{"share", mark.share}, {"points", mark.points}});
    return json;
}

}  // namespace dse::app
