#include "dse/space/answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dse/base/check.hpp"

namespace dse::space {

Answers::Answers(std::shared_ptr<const Space> space)
    : space_{std::move(space)},
      values_(space_->width() + metrics::metric_fields().size() + space_->added().size() +
              space_->metrics().size()) {}

void Answers::take(std::span<const double> values, const metrics::Metrics& metrics,
                   std::span<const double> added) {
    DSE_EXPECT(values.size() == space_->width());
    auto next = std::copy(values.begin(), values.end(), values_.begin());
    for (const metrics::MetricField& field : metrics::metric_fields()) *next++ = metrics.*field.member;
    // NaN if a metric that it needs has no value or comes later.
    std::fill(next, values_.end(), std::numeric_limits<double>::quiet_NaN());
    const std::size_t given = std::min(added.size(), space_->added().size());
    std::copy_n(added.begin(), given, next);
    next += static_cast<std::ptrdiff_t>(space_->added().size());
    for (const DerivedMetric& metric : space_->metrics()) *next++ = metric.expression.evaluate(values_);
}

std::optional<std::size_t> Answers::slot(std::string_view metric) const {
    const auto fields = metrics::metric_fields();
    const auto known = std::find_if(fields.begin(), fields.end(),
                                    [&](const metrics::MetricField& field) { return field.name == metric; });
    if (known != fields.end()) return space_->width() + static_cast<std::size_t>(known - fields.begin());
    const auto& added = space_->added();
    const auto given =
        std::find_if(added.begin(), added.end(), [&](const AddedMetric& one) { return one.name == metric; });
    if (given != added.end())
        return space_->width() + fields.size() + static_cast<std::size_t>(given - added.begin());
    const auto& derived = space_->metrics();
    const auto own = std::find_if(derived.begin(), derived.end(),
                                  [&](const DerivedMetric& one) { return one.name == metric; });
    if (own == derived.end()) return std::nullopt;
    return space_->width() + fields.size() + added.size() + static_cast<std::size_t>(own - derived.begin());
}

std::span<const double> Answers::derived() const {
    return std::span{values_}.last(space_->metrics().size());
}

double Answers::violation() const {
    double sum = 0.0;
    for (const Constraint& constraint : space_->constraints()) {
        if (!constraint.expression.holds(values_)) sum += excess(constraint);
    }
    return sum;
}

double Answers::excess(const Constraint& constraint) const {
    if (constraint.sides.empty()) return 1.0;
    const double small = constraint.sides[0].evaluate(values_);
    const double large = constraint.sides[1].evaluate(values_);
    const double size = std::max(std::abs(small), std::abs(large));
    // Relative to zero there are no shares, so `x <= 0` counts its absolute excess.
    const double excess = small - large;
    const double share = small == 0.0 || large == 0.0 ? excess / (1.0 + excess) : excess / size;
    // Equal sides violate a strict comparison by the least possible amount.
    if (!(share > 0.0)) return small == large ? std::numeric_limits<double>::min() : 1.0;
    return std::min(share, 1.0);
}

}  // namespace dse::space
