#pragma once

#include <vector>

#include "ir/partition/propagation.hpp"

namespace dse::ir::partition {

/// How an operation is computed: the axes of each of its factors.
///
/// Where its arrays agree, these are the axes that they have. An axis that they have at different factors
/// goes to the one factor for which the fewest bytes of a device's move: arrays that have it elsewhere are
/// gathered (their bytes × (parts − 1)), and a reduction's result is all-reduced (2 × its bytes).
/// \param layouts  of the relation's arrays
/// \param at_hand  by array: other layouts that it was moved to before, which cost nothing again
std::vector<Axes> chosen_axes(const Relation& relation, const Slots& slots,
                              const std::vector<const Layout*>& layouts,
                              const std::vector<std::vector<Layout>>& at_hand = {});

}  // namespace dse::ir::partition
