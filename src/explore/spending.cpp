#include "explore/spending.hpp"

#include <algorithm>

namespace dse::explore {

void Spending::add(const space::Record& record) {
    all_ += record.wall_seconds;
    busiest_ = std::max(busiest_, by_rank_[record.rank] += record.wall_seconds);
}

void Spending::add_own(double seconds) {
    all_ += seconds;
    busiest_ = std::max(busiest_, by_rank_[0] += seconds);
}

double Spending::share() const {
    const double of_time = time_ > 0.0 ? busiest_ / time_ : 0.0;
    const double of_cpu = cpu_ > 0.0 ? all_ / cpu_ : 0.0;
    return std::max(of_time, of_cpu);
}

}  // namespace dse::explore
