#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/graph/mesh.hpp"

namespace dse::graph {

/// The order in which ranks are numbered along the axes of a mesh, which decides which ranks are neighbours
/// on the machine: one of the 120 permutations of tp, cp, ep, dp and pp, innermost first. Value 0 is
/// Megatron-LM's default, "tp-cp-ep-dp-pp".
enum class RankOrder : std::uint8_t {};

/// "tp-cp-ep-dp-pp", …
std::span<const std::string_view> choice_names(RankOrder);

/// Puts the axes of both foldings into that order. Experts have etp in the position of tp and edp in that of
/// dp; replicas come right after dp.
void set_order(RankOrder order, Mesh& mesh);

/// Checks that both foldings have the same ranks in each pipeline stage and in each replica.
/// \throws ModelError if pp or dp is nested inside axes of different sizes
void require_equal_stages(const Mesh& mesh);

}  // namespace dse::graph
