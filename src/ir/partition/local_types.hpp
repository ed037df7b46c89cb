#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// Type of one device's part of an array. \pre the layout has the array's rank
Type local_type(const Type& whole, const Layout& layout);

/// Type of one device's part of a value, which may be a tuple. \param layouts  by leaf
TypeId local_type(TypeTable& types, TypeId whole, const std::vector<Layout>& layouts);

/// Whether an attribute only fits the whole array, because it has ranges, sizes or paddings of dimensions.
bool states_sizes(const Attribute& attribute);

/// An operation's attribute adapted to one device's parts: ranges over whole dimensions shrink with them.
/// \param operand        type of the whole first operand
/// \param layout         of the first operand
/// \param local_operand  type of the first operand's part
/// \param local_result   type of the first result's part
Attribute local_attribute(const Attribute& attribute, const Type& operand, const Layout& layout,
                          const Type& local_operand, const Type& local_result);

}  // namespace dse::ir::partition
