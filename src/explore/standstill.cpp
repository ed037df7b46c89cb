#include "explore/standstill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dse/metrics/hypervolume.hpp"

namespace dse::explore {
namespace {

constexpr double least_gain = 1e-3;

/// Scales the costs of one objective to the range from 0 to 1.
class Scale {
  public:
    Scale(const std::vector<Solution>& a, const std::vector<Solution>& b, std::size_t objective) {
        for (const auto* front : {&a, &b}) {
            for (const Solution& solution : *front) {
                low_ = std::min(low_, solution.costs[objective]);
                high_ = std::max(high_, solution.costs[objective]);
            }
        }
        logarithmic_ = low_ > 0.0;
        low_ = shown(low_);
        high_ = shown(high_);
    }

    double operator()(double cost) const {
        return high_ > low_ ? (shown(cost) - low_) / (high_ - low_) : 0.0;
    }

  private:
    [[nodiscard]] double shown(double cost) const { return logarithmic_ ? std::log(cost) : cost; }

    bool logarithmic_{false};
    double low_{std::numeric_limits<double>::infinity()};
    double high_{-std::numeric_limits<double>::infinity()};
};

}  // namespace

double volume_of(const std::vector<Solution>& of, const std::vector<Solution>& with) {
    constexpr double reference = 1.1;
    const std::size_t objectives = (of.empty() ? with : of).front().costs.size();
    std::vector<Scale> scales;
    for (std::size_t i = 0; i < objectives; ++i) scales.emplace_back(of, with, i);
    metrics::CostTable table{objectives};
    std::vector<double> row(objectives);
    for (const Solution& solution : of) {
        for (std::size_t i = 0; i < objectives; ++i) row[i] = scales[i](solution.costs[i]);
        table.add(row);
    }
    return metrics::hypervolume(table, std::vector<double>(objectives, reference));
}

void Standstill::look_at(const Archive& archive, std::uint64_t told) {
    if (patience_ == 0 || archive.members().empty()) return;
    const std::vector<Solution>& now = archive.members();
    const bool gained =
        front_.empty() || volume_of(now, front_) > volume_of(front_, now) * (1.0 + least_gain);
    if (!gained) return;
    front_ = now;
    last_gain_ = told;
}

}  // namespace dse::explore
