#include "dse/eval/uncertain_evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "dse/base/statistics.hpp"
#include "dse/eval/frontend_of.hpp"
#include "eval/play_point.hpp"

namespace dse::eval {
namespace {

/// Index of a field in the values of a point; nothing if neither an axis nor a derived field sets it.
std::optional<std::size_t> slot_of(const space::Space& space, const std::string& path) {
    for (std::size_t slot = 0; slot < space.width(); ++slot) {
        if (space.slot_info(slot).path == path) return slot;
    }
    return std::nullopt;
}

/// Uncertain fields that are appended to the values of a point.
std::vector<config::FieldInfo> more_fields(const study::Sweep& sweep) {
    std::vector<config::FieldInfo> fields;
    for (const study::UncertainField& one : sweep.uncertain->fields) {
        if (!slot_of(*sweep.space, one.field.path)) fields.push_back(one.field);
    }
    return fields;
}

}  // namespace

std::vector<double> statistics_of(std::vector<double>& values, metrics::Direction direction) {
    if (values.empty()) return std::vector<double>(study::statistic_suffixes().size(), metrics::not_a_number);
    std::sort(values.begin(), values.end());
    const double middle = mean(values);
    double squares = 0.0;
    for (const double value : values) squares += (value - middle) * (value - middle);
    const std::size_t tenth = std::max<std::size_t>(1, values.size() / 10);
    const std::span all{values};
    const auto worst = direction == metrics::Direction::minimize ? all.last(tenth) : all.first(tenth);
    const double of_worst = mean(worst);  // before the percentiles, which reorder
    const double freedom = std::max(1.0, static_cast<double>(values.size()) - 1.0);
    return {middle,
            std::sqrt(squares / freedom),
            percentile(values, 0.1),
            percentile(values, 0.5),
            percentile(values, 0.9),
            of_worst};
}

UncertainEvaluator::UncertainEvaluator(const study::Sweep& sweep, sim::Asked::For asked)
    : spec_{*sweep.uncertain},
      binder_{sweep, more_fields(sweep)},
      simulator_{std::make_unique<Simulator>(frontend_of(sweep), folder_of(sweep))},
      asked_{asked},
      draws_{spec_.places(static_cast<std::uint64_t>(sweep.space->search().seed))},
      nominal_(spec_.fields.size()),
      answers_(spec_.of.size()) {
    study::Scenario base = sweep.base;
    config::FieldIndex fields{sweep.library};
    fields.add("", base);
    std::size_t more = sweep.space->width();
    for (const study::UncertainField& one : spec_.fields) {
        const auto slot = slot_of(*sweep.space, one.field.path);
        slots_.push_back(slot.value_or(more));
        if (slot) continue;
        ++more;
        base_.push_back(fields.find(one.field.path)->read());
    }
    for (std::vector<double>& draw : draws_) {
        for (std::size_t field = 0; field < draw.size(); ++field)
            draw[field] = spec_.fields[field].at(draw[field]);
    }
    for (const metrics::Objective& metric : spec_.of)
        members_.push_back(metrics::metric_field(metric.metric).member);
}

UncertainEvaluator::~UncertainEvaluator() = default;

void UncertainEvaluator::stop_when(bool (*stopped)()) {
    simulator_->stop_when(stopped);
}

void UncertainEvaluator::evaluate(const space::Point& point, space::Record& record) {
    record.point = point;
    record.reason.clear();
    record.metrics = {};
    record.more.clear();
    for (std::vector<double>& values : answers_) values.assign(draws_.size(), metrics::not_a_number);
    answered_ = 0;
    point_ = point;
    point_.values.insert(point_.values.end(), base_.begin(), base_.end());
    for (std::size_t field = 0; field < slots_.size(); ++field)
        nominal_[field] = point_.values[slots_[field]];
    play_point(binder_, *simulator_, point_, asked_, record, [&] {
        play_draws();
        sum_up(record);
    });
}

void UncertainEvaluator::play_draws() {
    for (std::size_t i = 0; i < draws_.size(); ++i) {
        try {
            draw(i);
        } catch (const ModelError&) {
            // This draw is not a valid machine: it counts as not feasible.
        }
    }
}

void UncertainEvaluator::draw(std::size_t index) {
    for (std::size_t field = 0; field < slots_.size(); ++field) {
        const bool scales = spec_.fields[field].means == study::UncertainField::Means::factor;
        point_.values[slots_[field]] = draws_[index][field] * (scales ? nominal_[field] : 1.0);
    }
    binder_.bind(point_);
    const Evaluation& evaluation =
        simulator_->run(binder_.scenario(), binder_.system_key(), WhenFull::refuse, sim::Asked::For::time);
    if (evaluation.shortage) return;
    ++answered_;
    for (std::size_t m = 0; m < members_.size(); ++m) answers_[m][index] = evaluation.metrics.*members_[m];
}

void UncertainEvaluator::sum_up(space::Record& record) {
    record.more.push_back(static_cast<double>(answered_) / static_cast<double>(draws_.size()));
    for (std::size_t m = 0; m < answers_.size(); ++m) {
        std::vector<double> values = answers_[m];
        std::erase_if(values, [](double value) { return std::isnan(value); });
        const std::vector<double> statistics = statistics_of(values, spec_.of[m].direction);
        record.more.insert(record.more.end(), statistics.begin(), statistics.end());
    }
}

}  // namespace dse::eval
