#include "ir/partition/manual_border.hpp"

#include <utility>

#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {

Layout by_hand(const Sharding& sharding, const std::vector<AxisRef>& manual, std::size_t rank,
               std::uint32_t line) {
    require_rank(sharding, rank, line);
    Layout layout(rank);
    for (std::size_t d = 0; d < sharding.dimensions.size(); ++d)
        layout[d] = within(axes_of(sharding.dimensions[d].axes), axes_of(manual));
    return layout;
}

Sharding inside(Sharding sharding, const std::vector<AxisRef>& manual) {
    const auto leave_out = [&manual](std::vector<AxisRef>& axes) {
        const Axes left = without(axes_of(axes), axes_of(manual));
        axes.assign(left.begin(), left.end());
    };
    for (Sharding::Dimension& dimension : sharding.dimensions) leave_out(dimension.axes);
    leave_out(sharding.replicated);
    return sharding;
}

std::optional<FactorRule> border_rule(const Type& outside, const Type& inside, const Layout& by_hand) {
    if (outside.sizes.size() != by_hand.size() || inside.sizes.size() != by_hand.size()) return std::nullopt;
    FactorRule rule;
    FactorRule::Tensor whole(by_hand.size());
    FactorRule::Tensor part(by_hand.size());
    for (std::size_t d = 0; d < by_hand.size(); ++d) {
        const std::int64_t parts = parts_of(by_hand[d]);
        if (outside.sizes[d] != inside.sizes[d] * parts) return std::nullopt;
        if (parts > 1) {
            whole[d].push_back(rule.add(parts));
            rule.factors.back().blocked = true;
        }
        const FactorRule::Number left = rule.add(inside.sizes[d]);
        whole[d].push_back(left);
        part[d].push_back(left);
    }
    rule.operands.push_back(std::move(whole));
    rule.results.push_back(std::move(part));
    return rule;
}

Layout outside(Layout by_hand, const Layout& inside) {
    for (std::size_t d = 0; d < by_hand.size() && d < inside.size(); ++d) {
        by_hand[d].insert(by_hand[d].end(), inside[d].begin(), inside[d].end());
        by_hand[d] = normalized(by_hand[d]);
    }
    return by_hand;
}

}  // namespace dse::ir::partition
