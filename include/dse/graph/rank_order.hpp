#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/graph/mesh.hpp"

namespace dse::graph {

/// In which order ranks are numbered along the axes of a mesh, and so who are neighbours on the machine: one
/// of the 120 orders of tp, cp, ep, dp and pp, innermost first. The value 0 is Megatron-LM's default,
/// "tp-cp-ep-dp-pp".
enum class RankOrder : std::uint8_t {};

/// "tp-cp-ep-dp-pp", …
std::span<const std::string_view> choice_names(RankOrder);

/// The axes of both foldings in that order: where tp stands, experts have etp, and where dp stands, edp; the
/// replicas of dp come right after it.
void set_order(RankOrder order, Mesh& mesh);

/// Checks that both foldings have the same ranks in each pipeline stage and in each replica, as these hold
/// the layers of both. \throws ModelError when pp or dp stands inside axes of different extent
void require_equal_stages(const Mesh& mesh);

}  // namespace dse::graph
