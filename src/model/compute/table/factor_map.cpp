#include "dse/model/compute/table/factor_map.hpp"

#include <algorithm>
#include <cmath>

#include "dse/base/check.hpp"

namespace dse::model {

template <std::size_t dimensions>
void FactorMap<dimensions>::add(const Point& at, double factor) {
    DSE_EXPECT(factor > 0.0);
    if (points_.empty()) least_ = most_ = at;
    for (std::size_t i = 0; i < dimensions; ++i) {
        least_[i] = std::min(least_[i], at[i]);
        most_[i] = std::max(most_[i], at[i]);
    }
    points_.push_back({at, std::log(factor)});
}

template <std::size_t dimensions>
bool FactorMap<dimensions>::covers(const Point& at) const {
    for (std::size_t i = 0; i < dimensions; ++i) {
        if (at[i] < least_[i] || at[i] > most_[i]) return false;
    }
    return true;
}

template <std::size_t dimensions>
double FactorMap<dimensions>::operator()(const Point& at) const {
    DSE_EXPECT(!empty());
    Point inside{};
    for (std::size_t i = 0; i < dimensions; ++i) inside[i] = std::clamp(at[i], least_[i], most_[i]);

    struct Near {
        double distance{std::numeric_limits<double>::infinity()};  ///< squared
        double log_factor{0};
    };
    std::array<Near, neighbours> nearest{};  // nearest first
    for (const Measured& point : points_) {
        double distance = 0.0;
        for (std::size_t i = 0; i < dimensions; ++i) {
            const double step = point.at[i] - inside[i];
            distance += step * step;
        }
        if (distance >= nearest.back().distance) continue;
        std::size_t place = neighbours - 1;
        for (; place > 0 && nearest[place - 1].distance > distance; --place)
            nearest[place] = nearest[place - 1];
        nearest[place] = {distance, point.log_factor};
    }

    // Repeated measurements of one point have equal weight, and at that point nothing else counts.
    constexpr double same_point = 1e-12;
    double weights = 0.0;
    double sum = 0.0;
    const bool is_measured = nearest.front().distance < same_point;
    for (const Near& near : nearest) {
        if (std::isinf(near.distance) || (is_measured && near.distance >= same_point)) break;
        const double weight = is_measured ? 1.0 : 1.0 / near.distance;
        weights += weight;
        sum += weight * near.log_factor;
    }
    return std::exp(sum / weights);
}

template class FactorMap<1>;
template class FactorMap<4>;

}  // namespace dse::model
