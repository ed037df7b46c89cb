#pragma once

#include <optional>
#include <string_view>

#include "dse/base/check.hpp"
#include "dse/model/network/communication.hpp"
#include "dse/model/network/group_mesh.hpp"

namespace dse::model {

/// \throws ModelError, saying that the network model does not support groups without a regular pattern
[[noreturn]] void refuse_irregular(std::string_view model, const RankList& list);

/// Dispatches by the placement of the devices: `on_axes(kind, AxisGroups)`, `on_stages(StagePairs)` or, for
/// more than two ranks without a regular pattern, `on_list(RankList)`. Any two ranks are treated as stages
/// (line_mesh).
template <class OnAxes, class OnStages, class OnList>
Seconds by_pattern(const Communication& what, OnAxes&& on_axes, OnStages&& on_stages, OnList&& on_list) {
    if (const auto* groups = std::get_if<AxisGroups>(&what.devices)) {
        DSE_EXPECT(what.collective.has_value());
        return on_axes(*what.collective, *groups);
    }
    if (const auto* pairs = std::get_if<StagePairs>(&what.devices)) return on_stages(*pairs);
    const RankList& list = std::get<RankList>(what.devices);
    DSE_EXPECT(!list.ranks.empty());
    if (list.ranks.size() == 1) return Seconds{};
    if (what.collective) {
        if (const std::optional<GroupMesh> group = group_mesh(list.ranks, list.devices))
            return on_axes(*what.collective, AxisGroups{&group->mesh, group->axes});
        if (list.ranks.size() > 2) return on_list(list);
    }
    const graph::Mesh line = line_mesh(list.devices);
    return on_stages(StagePairs{&line, list.ranks.front(), list.ranks.back()});
}

}  // namespace dse::model
