#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "dse/dist/point_evaluator.hpp"
#include "dse/dist/trial_source.hpp"

namespace dse::dist::test {

/// Trials that depend on what earlier ones gave: the value of a trial is twice that of the one `lag` before
/// it, and one more.
class ChainSource final : public TrialSource {
  public:
    ChainSource(std::uint64_t size, std::uint64_t lag) : size_{size}, lag_{lag} {}

    std::optional<Trial> next() override {
        if (exhausted() || (next_ >= lag_ && !answers_.contains(next_ - lag_))) return std::nullopt;
        const double value = next_ < lag_ ? static_cast<double>(next_) : answers_.at(next_ - lag_) + 1.0;
        return Trial{{next_++, {value}}, {level_}};
    }
    void answer(const space::Record& record) override {
        ++told_[record.point.id];
        answers_[record.point.id] = record.metrics.iteration_time;
        statuses_[record.point.id] = record.status;
    }
    [[nodiscard]] bool exhausted() const override { return next_ == size_; }

    void ask_at(Fidelity fidelity) { level_ = fidelity.level; }

    /// What the answer of a trial must be.
    [[nodiscard]] double expected(std::uint64_t id) const {
        return 2.0 * (id < lag_ ? static_cast<double>(id) : expected(id - lag_) + 1.0);
    }
    [[nodiscard]] const std::map<std::uint64_t, double>& answers() const { return answers_; }
    [[nodiscard]] int told(std::uint64_t id) const { return told_.contains(id) ? told_.at(id) : 0; }
    [[nodiscard]] space::Status status(std::uint64_t id) const { return statuses_.at(id); }

  private:
    std::uint64_t size_;
    std::uint64_t lag_;
    std::uint64_t next_{0};
    std::uint32_t level_{0};
    std::map<std::uint64_t, double> answers_;
    std::map<std::uint64_t, int> told_;
    std::map<std::uint64_t, space::Status> statuses_;
};

/// Answers with twice the value of the point; knows no indices.
class Doubler final : public PointEvaluator {
  public:
    static space::Record answer(const Trial& trial) {
        space::Record record;
        record.point = trial.point;
        record.status = space::Status::ok;
        record.metrics.iteration_time = 2.0 * trial.point.values.at(0);
        return record;
    }
    bool point(std::uint64_t, space::Point&) override { throw std::logic_error("asked for an index"); }
    void evaluate(const space::Point& point, Fidelity fidelity, space::Record& record) override {
        record = answer({point, fidelity});
    }
};

}  // namespace dse::dist::test
