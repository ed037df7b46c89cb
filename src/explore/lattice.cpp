#include "explore/lattice.hpp"

#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/space/grid_index.hpp"

namespace dse::explore {
namespace {

bool has_order(const space::Axis& axis) {
    return axis.labels.empty() && axis.info.type != config::FieldType::flag;
}

}  // namespace

Lattice::Lattice(std::shared_ptr<const space::Space> space) : space_{std::move(space)} {
    for (const space::Axis& axis : space_->axes()) {
        if (axis.continuum)
            throw InputError(
                fmt::format("{}: axis '{}' is a range without steps: a search that learns walks over values "
                            "(give 'step' or 'count')",
                            config::to_string(axis.where), axis.name));
        if (axis.values.count() > 1) free_.push_back(counts_.size());
        counts_.push_back(axis.values.count());
        ordered_.push_back(has_order(axis));
    }
    for (const space::Condition& condition : space_->conditions())
        stand_ins_.push_back(
            space::place_on(space_->axes()[condition.axis].values, condition.stand_in).value_or(0));
}

bool Lattice::settle(Genome& genome, space::Point& point) const {
    const std::vector<space::Axis>& axes = space_->axes();
    point.values.resize(space_->width());
    for (std::size_t i = 0; i < axes.size(); ++i) point.values[i] = axes[i].values[genome[i]];
    for (const space::Step& step : space_->steps()) {
        if (step.kind == space::Step::Kind::activate) {
            const space::Condition& condition = space_->conditions()[step.index];
            if (!condition.expression.holds(point.values)) {
                genome[condition.axis] = stand_ins_[step.index];
                point.values[condition.axis] = condition.idle;
            }
        } else if (!space_->perform(step, point.values)) {
            return false;
        }
    }
    return true;
}

Genome Lattice::draw(Random& random) const {
    Genome genome(axes());
    for (const std::size_t axis : free_) genome[axis] = random.below(counts_[axis]);
    return genome;
}

Genome Lattice::genome_of(std::uint64_t id) const {
    Genome genome(axes());
    for (std::size_t axis = 0; axis < axes(); ++axis)
        genome[axis] = id / space_->stride(axis) % counts_[axis];
    return genome;
}

Genome Lattice::genome_at(std::span<const double> values) const {
    Genome genome(axes());
    for (std::size_t axis = 0; axis < axes(); ++axis)
        genome[axis] = space::place_on(space_->axes()[axis].values, values[axis]).value_or(0);
    for (std::size_t i = 0; i < stand_ins_.size(); ++i) {
        const space::Condition& condition = space_->conditions()[i];
        if (!condition.expression.holds(values)) genome[condition.axis] = stand_ins_[i];
    }
    return genome;
}

std::optional<std::uint64_t> Lattice::id_of(const Genome& genome) const {
    if (!space_->grid_size().exact) return std::nullopt;
    std::uint64_t id = 0;
    for (std::size_t axis = 0; axis < axes(); ++axis) id += genome[axis] * space_->stride(axis);
    return id;
}

}  // namespace dse::explore
