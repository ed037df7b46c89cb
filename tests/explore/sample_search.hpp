#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/explore/campaign.hpp"
#include "dse/results/row_schema.hpp"
#include "dse/space/space_text.hpp"

namespace dse::explore::test {

inline std::shared_ptr<const space::Space> plane(const std::string& more = "") {
    return space::parse_space(
        "name: plane\naxes:\n  x: {from: -4.0, to: 4.0, count: 17}\n"
        "  y: {from: -4.0, to: 4.0, count: 17}\n" +
        more);
}

/// A bowl with its bottom at (3, −1), and a part of the plane where nobody knows the answer.
inline void bowl(const space::Point& point, Fidelity fidelity, space::Record& record) {
    const double x = point.values[0] - 3.0;
    const double y = point.values[1] + 1.0;
    if (y > 4.0) throw ModelError(fmt::format("y = {} is not known", point.values[1]));
    record.metrics.iteration_time = x * x + y * y;
    record.metrics.energy = fidelity.level + 1.0;
    record.metrics.memory_peak = point.values[0] - point.values[1];
}

/// Walks downhill: batches of points around the best that it was told of.
class Walk final : public Search {
  public:
    Walk(std::uint64_t budget, std::uint64_t width, std::size_t lag, std::uint64_t seed = 1)
        : budget_{budget}, width_{width}, lag_{lag}, seed_{seed} {}

    [[nodiscard]] std::uint64_t size() const override { return budget_; }
    [[nodiscard]] std::size_t lag() const override { return lag_; }

    std::vector<Trial> ask() override {
        std::vector<Trial> trials;
        for (std::uint64_t i = 0; i < width_ && asked_ < budget_; ++i, ++asked_) {
            trials.push_back({{0, {x_ + step(2 * asked_), y_ + step(2 * asked_ + 1)}},
                              {static_cast<std::uint32_t>(asked_ % 2)}});
        }
        return trials;
    }

    void tell(std::span<const space::Record> records) override {
        for (const space::Record& record : records) {
            ids_in_order_ = ids_in_order_ && record.point.id == told_;
            ++told_;
            if (record.status != space::Status::ok || record.metrics.iteration_time >= best_) continue;
            best_ = record.metrics.iteration_time;
            x_ = record.point.values[0];
            y_ = record.point.values[1];
        }
    }

    [[nodiscard]] std::string state() const override {
        return fmt::format("{} told, best {} at ({}, {})", told_, best_, x_, y_);
    }

    [[nodiscard]] double best() const { return best_; }
    [[nodiscard]] bool ids_in_order() const { return ids_in_order_; }

  private:
    [[nodiscard]] double step(std::uint64_t n) const {
        return static_cast<double>(seed_of(seed_, n) >> 11U) * 0x1p-53 - 0.5;
    }

    std::uint64_t budget_;
    std::uint64_t width_;
    std::size_t lag_;
    std::uint64_t seed_;
    std::uint64_t asked_{0};
    std::uint64_t told_{0};
    double best_{std::numeric_limits<double>::infinity()};
    double x_{0.0};
    double y_{0.0};
    bool ids_in_order_{true};
};

}  // namespace dse::explore::test
