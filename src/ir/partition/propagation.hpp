#pragma once

#include <vector>

#include "ir/partition/axes.hpp"
#include "ir/partition/slots.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {

/// Spreads layouts along the relations until nothing changes: by turns: first through element-wise
/// operations and data-flow edges, then through contractions and the rest, broadcasts last. An axis is added
/// where every array that has the factor agrees on what comes before it; of two factors of one array that
/// want one axis, the one that a larger array brings gets it. Only axes that divide a factor's size are
/// spread. Source: Shardy, "Sharding propagation" (operation priorities, basic and aggressive strategy); its
/// priorities of the user's are read but not honoured
void propagate(const std::vector<Relation>& relations, const Slots& slots, std::vector<SlotLayout>& layouts);

/// The axes of each factor of a relation, as its arrays have them: by tensor, then factor.
std::vector<std::vector<Axes>> factor_axes(const Relation& relation,
                                           const std::vector<const Layout*>& layouts);

/// A layout of an array from axes of its factors; what does not fill a factor ends a dimension that goes on.
Layout layout_of(const FactorRule& rule, const FactorRule::Tensor& tensor, const std::vector<Axes>& axes);

}  // namespace dse::ir::partition
