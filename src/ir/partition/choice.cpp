#include "ir/partition/choice.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;

class Choice {
  public:
    Choice(const Relation& relation, const Slots& slots, const std::vector<const Layout*>& layouts,
           const std::vector<std::vector<Layout>>& at_hand)
        : relation_{relation},
          slots_{slots},
          layouts_{layouts},
          at_hand_{at_hand},
          axes_{factor_axes(relation, layouts)} {}

    std::vector<Axes> made() {
        std::vector<Axes> chosen(relation_.rule.factors.size());
        for (std::size_t f = 0; f < chosen.size(); ++f)
            if (relation_.rule.factors[f].kind != Kind::whole) chosen[f] = longest(f);
        for (std::size_t f = 0; f < chosen.size(); ++f)
            if (stands_in_product(f) && relation_.rule.factors[f].size % product(chosen[f]) != 0)
                chosen[f].clear();
        settle(chosen);
        return chosen;
    }

  private:
    // The axes of a factor that most bytes have; the longest where one is the beginning of the other.
    [[nodiscard]] Axes longest(std::size_t factor) const {
        std::vector<Axes> candidates;
        for (const auto& tensor : axes_)
            if (!tensor[factor].empty()) candidates.push_back(tensor[factor]);
        Axes best;
        double best_bytes = -1;
        for (const Axes& candidate : candidates) {
            double bytes = 0;
            for (std::size_t t = 0; t < axes_.size(); ++t)
                if (!axes_[t][factor].empty() && is_prefix(axes_[t][factor], candidate))
                    bytes += slots_.bytes(relation_.tensors[t]);
            if (bytes > best_bytes || (bytes == best_bytes && product(candidate) > product(best))) {
                best = candidate;
                best_bytes = bytes;
            }
        }
        return best;
    }

    // A part of a dimension that is a product cannot be padded.
    [[nodiscard]] bool stands_in_product(std::size_t factor) const {
        for (std::size_t t = 0; t < relation_.tensors.size(); ++t)
            for (const auto& dimension : relation_.factors(t))
                if (dimension.size() > 1 &&
                    std::find(dimension.begin(), dimension.end(), factor) != dimension.end())
                    return true;
        return false;
    }

    // An axis may shard one factor only, unless no array has both.
    void settle(std::vector<Axes>& chosen) const {
        for (std::size_t f = 0; f < chosen.size(); ++f)
            for (std::size_t other = f + 1; other < chosen.size(); ++other)
                while (const AxisRef* axis = shared(chosen[f], chosen[other])) {
                    const std::size_t loser =
                        bytes_moved(f, other, *axis) <= bytes_moved(other, f, *axis) ? other : f;
                    chosen[loser] = common_prefix(chosen[loser], without(chosen[loser], {*axis}));
                }
    }

    static const AxisRef* shared(const Axes& a, const Axes& b) {
        const auto found =
            std::find_if(a.begin(), a.end(), [&b](const AxisRef& axis) { return overlap(b, axis); });
        return found == a.end() ? nullptr : &*found;
    }

    // Where the axis shards `winner` and not `loser`.
    [[nodiscard]] double bytes_moved(std::size_t winner, std::size_t loser, const AxisRef& axis) const {
        double bytes = 0;
        for (std::size_t t = 0; t < axes_.size(); ++t) {
            const double local = local_bytes(t);
            if (overlap(axes_[t][loser], axis) && !lies_without(t, loser, axis)) {
                // An array that has both factors exchanges parts; one without the winner is gathered.
                bytes += has(t, winner) ? local : local * static_cast<double>(axis.size - 1);
            }
        }
        if (relation_.rule.factors[winner].kind == Kind::reduction)
            for (std::size_t t = relation_.rule.operands.size(); t < axes_.size(); ++t)
                bytes += 2 * local_bytes(t);
        return bytes;
    }

    // Whether the array was moved before, to where the axis does not shard this factor.
    [[nodiscard]] bool lies_without(std::size_t tensor, std::size_t factor, const AxisRef& axis) const {
        if (tensor >= at_hand_.size()) return false;
        const FactorRule::Tensor& dimensions = relation_.factors(tensor);
        return std::any_of(at_hand_[tensor].begin(), at_hand_[tensor].end(), [&](const Layout& layout) {
            for (std::size_t d = 0; d < dimensions.size(); ++d)
                if (std::find(dimensions[d].begin(), dimensions[d].end(), factor) != dimensions[d].end() &&
                    overlap(layout[d], axis))
                    return false;
            return true;
        });
    }

    [[nodiscard]] bool has(std::size_t tensor, std::size_t factor) const {
        for (const auto& dimension : relation_.factors(tensor))
            if (std::find(dimension.begin(), dimension.end(), factor) != dimension.end()) return true;
        return false;
    }

    [[nodiscard]] double local_bytes(std::size_t tensor) const {
        double parts = 1;
        for (const Axes& axes : *layouts_[tensor]) parts *= static_cast<double>(product(axes));
        return slots_.bytes(relation_.tensors[tensor]) / parts;
    }

    const Relation& relation_;
    const Slots& slots_;
    const std::vector<const Layout*>& layouts_;
    const std::vector<std::vector<Layout>>& at_hand_;
    std::vector<std::vector<Axes>> axes_;
};

}  // namespace

std::vector<Axes> chosen_axes(const Relation& relation, const Slots& slots,
                              const std::vector<const Layout*>& layouts,
                              const std::vector<std::vector<Layout>>& at_hand) {
    return Choice{relation, slots, layouts, at_hand}.made();
}

}  // namespace dse::ir::partition
