#include "dse/space/space.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/config/written_unit.hpp"

namespace dse::space {

bool Space::is_discrete() const {
    return std::none_of(axes_.begin(), axes_.end(),
                        [](const Axis& axis) { return axis.continuum.has_value(); });
}

std::span<const Step> Space::steps_at(std::size_t depth) const {
    DSE_EXPECT(depth <= axes_.size());
    return std::span(steps_).subspan(first_step_[depth], first_step_[depth + 1] - first_step_[depth]);
}

bool Space::perform(const Step& step, std::span<double> values) const {
    if (step.kind == Step::Kind::require) return requirements_[step.index].expression.holds(values);
    if (step.kind == Step::Kind::activate) return activate(conditions_[step.index], values);
    const Derived& derived = derived_[step.index];
    const double value = derived.expression.evaluate(values);
    values[axes_.size() + step.index] = value;
    return value >= derived.smallest && value <= derived.largest;  // false for NaN: no value
}

bool Space::activate(const Condition& condition, std::span<double> values) {
    if (condition.expression.holds(values)) return true;
    double& value = values[condition.axis];
    if (value != condition.stand_in && value != condition.idle) return false;
    value = condition.idle;
    return true;
}

bool Space::complete(std::span<double> values) const {
    DSE_EXPECT(values.size() == width());
    return std::all_of(steps_.begin(), steps_.end(), [&](const Step& step) { return perform(step, values); });
}

bool Space::point(std::uint64_t id, Point& point) const {
    DSE_EXPECT(grid_size_.exact && id < *grid_size_.exact);
    point.id = id;
    point.values.resize(width());
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        point.values[i] = axes_[i].values[id / strides_[i] % axes_[i].values.count()];
    }
    return complete(point.values);
}

std::string Space::describe(const Step& step) const {
    if (step.kind == Step::Kind::require) return requirements_[step.index].expression.text();
    if (step.kind == Step::Kind::activate) {
        const Condition& condition = conditions_[step.index];
        return fmt::format("{} when {}", axes_[condition.axis].name, condition.expression.text());
    }
    return fmt::format("{} = {}", derived_[step.index].name, derived_[step.index].expression.text());
}

std::optional<std::size_t> Space::slot(std::string_view name) const {
    for (std::size_t i = 0; i < width(); ++i) {
        if (slot_name(i) == name || slot_info(i).path == name) return i;
    }
    return std::nullopt;
}

const std::string& Space::slot_name(std::size_t slot) const {
    return slot < axes_.size() ? axes_[slot].name : derived_[slot - axes_.size()].name;
}

const config::FieldInfo& Space::slot_info(std::size_t slot) const {
    return slot < axes_.size() ? axes_[slot].info : derived_[slot - axes_.size()].info;
}

std::string Space::format(std::size_t slot, double value) const {
    if (slot < axes_.size()) return axes_[slot].format(value);
    const Derived& derived = derived_[slot - axes_.size()];
    return derived.unit.empty() ? config::format_value(value, derived.info)
                                : config::format_in_unit(value, derived.unit, derived.info.dimension);
}

}  // namespace dse::space
