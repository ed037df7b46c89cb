#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// Type of an array's part on one device. \pre layout has the array's rank
Type local_type(const Type& whole, const Layout& layout);

/// Type of a value's part, for a tuple leaf by leaf. \param layouts  by leaf
TypeId local_type(TypeTable& types, TypeId whole, const std::vector<Layout>& layouts);

/// An operation's attribute for the parts: ranges over whole dimensions shrink with them.
/// \param operand, layout  whole type of the first operand, and its layout
/// \param local_operand, local_result  types of the parts of the first operand and the first result
Attribute local_attribute(const Attribute& attribute, const Type& operand, const Layout& layout,
                          const Type& local_operand, const Type& local_result);

}  // namespace dse::ir::partition
