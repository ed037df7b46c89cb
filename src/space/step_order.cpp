#include "space/step_order.hpp"

#include <algorithm>
#include <iterator>

namespace dse::space {

namespace {

using Axes = std::vector<std::size_t>;

/// Axes that an expression depends on, given those of the derived values it uses.
Axes axes_of(const symbolic::Expression& expression, std::size_t axis_count,
             const std::vector<Axes>& of_derived) {
    Axes result;
    for (const std::size_t slot : expression.slots()) {
        if (slot < axis_count) {
            result.push_back(slot);
        } else {
            const Axes& inner = of_derived[slot - axis_count];
            result.insert(result.end(), inner.begin(), inner.end());
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

class StepOrder {
  public:
    StepOrder(const Space& space, const std::vector<std::size_t>& derived_order)
        : space_{space}, derived_order_{derived_order}, computed_(space.derived().size()) {
        const std::size_t axis_count = space.axes().size();
        derived_axes_.resize(space.derived().size());
        for (const std::size_t i : derived_order) {
            derived_axes_[i] = axes_of(space.derived()[i].expression, axis_count, derived_axes_);
        }
        for (std::size_t i = 0; i < space.conditions().size(); ++i) {
            const Condition& condition = space.conditions()[i];
            Axes axes = axes_of(condition.expression, axis_count, derived_axes_);
            axes.push_back(condition.axis);
            activations_.push_back(step(Step::Kind::activate, i, std::move(axes)));
        }
        for (std::size_t i = 0; i < space.requirements().size(); ++i) {
            Axes axes = axes_of(space.requirements()[i].expression, axis_count, derived_axes_);
            waiting_.push_back(step(Step::Kind::require, i, std::move(axes)));
        }
    }

    std::vector<Step> run() {
        for (std::size_t depth = 0; depth <= space_.axes().size(); ++depth) {
            for (const Step& one : activations_) {
                if (one.depth == depth) steps_.push_back(one);
            }
            release(depth);
            for (const std::size_t i : derived_order_) {
                Step one = step(Step::Kind::derive, i, derived_axes_[i]);
                if (one.depth != depth) continue;
                steps_.push_back(std::move(one));
                computed_[i] = true;
                release(depth);
            }
        }
        return std::move(steps_);
    }

  private:
    static Step step(Step::Kind kind, std::size_t index, Axes axes) {
        const std::size_t depth = axes.empty() ? 0 : axes.back() + 1;
        return {kind, index, depth, std::move(axes)};
    }

    /// Appends the requirements of this depth whose derived values have all been computed.
    void release(std::size_t depth) {
        const auto blocked = [&](const Step& one) { return one.depth != depth || !ready(one); };
        const auto split = std::stable_partition(waiting_.begin(), waiting_.end(), blocked);
        std::move(split, waiting_.end(), std::back_inserter(steps_));
        waiting_.erase(split, waiting_.end());
    }

    [[nodiscard]] bool ready(const Step& one) const {
        const std::vector<std::size_t>& slots = space_.requirements()[one.index].expression.slots();
        const std::size_t axis_count = space_.axes().size();
        return std::all_of(slots.begin(), slots.end(), [&](std::size_t slot) {
            return slot < axis_count || computed_[slot - axis_count];
        });
    }

    const Space& space_;
    const std::vector<std::size_t>& derived_order_;
    std::vector<bool> computed_;
    std::vector<Axes> derived_axes_;
    std::vector<Step> activations_;
    std::vector<Step> waiting_;
    std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> order_steps(const Space& space, const std::vector<std::size_t>& derived_order) {
    return StepOrder(space, derived_order).run();
}

}  // namespace dse::space
