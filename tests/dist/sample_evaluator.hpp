#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

#include "dse/base/error.hpp"
#include "dse/dist/point_evaluator.hpp"
#include "results/sample_sweep.hpp"

namespace dse::dist::test {

/// The sample sweep as an evaluator: drops every seventh index, throws at some points.
class SampleEvaluator final : public PointEvaluator {
  public:
    /// \param before  called with each index before it is evaluated: to wait, to die, to stop
    explicit SampleEvaluator(std::function<void(std::uint64_t)> before = {}) : before_{std::move(before)} {}

    static bool dropped(std::uint64_t index) { return index % 7 == 3; }
    static bool refused(std::uint64_t index) { return index % 101 == 5; }
    static bool throws(std::uint64_t index) { return index % 211 == 11; }

    /// What the row of an index must be, wherever and whenever it was evaluated.
    static std::optional<space::Record> expected(std::uint64_t index) {
        if (dropped(index)) return std::nullopt;
        space::Record record = results::test::sample_record(index);
        if (!refused(index) && !throws(index)) return record;
        record.status = refused(index) ? space::Status::outside_validity : space::Status::failed;
        record.reason = reason(index);
        record.metrics = {};
        return record;
    }

    bool point(std::uint64_t index, space::Point& point) override {
        if (dropped(index)) return false;
        point = results::test::sample_record(index).point;
        return true;
    }

    void evaluate(const space::Point& point, Fidelity, space::Record& record) override {
        if (before_) before_(point.id);
        if (refused(point.id)) throw ModelError(reason(point.id));
        if (throws(point.id)) throw std::runtime_error(reason(point.id));
        record = results::test::sample_record(point.id);
    }

  private:
    /// Longer than a row holds.
    static std::string reason(std::uint64_t index) {
        return fmt::format("no answer for point {}: {}", index,
                           std::string(700, static_cast<char>('a' + index % 26)));
    }

    std::function<void(std::uint64_t)> before_;
};

}  // namespace dse::dist::test
