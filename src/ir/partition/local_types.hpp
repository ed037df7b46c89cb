#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// Type of an array's part on one device. \pre layout has the array's rank
Type local_type(const Type& whole, const Layout& layout);

/// Type of a value's part, for a tuple leaf by leaf. \param layouts  by leaf
TypeId local_type(TypeTable& types, TypeId whole, const std::vector<Layout>& layouts);

/// Whether an attribute holds for the whole array alone: it has ranges, sizes or paddings of dimensions.
bool states_sizes(const Attribute& attribute);

/// An operation's attribute as it holds for the parts: ranges that run over whole dimensions shrink with
/// them. \param operand  of the first operand's whole type, and its layout \param result  of the first
/// result's part
Attribute local_attribute(const Attribute& attribute, const Type& operand, const Layout& layout,
                          const Type& local_operand, const Type& local_result);

}  // namespace dse::ir::partition
