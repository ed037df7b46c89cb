#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/space/sweep_spec.hpp"
#include "dse/symbolic/symbol_table.hpp"
#include "space/name_scope.hpp"

namespace dse::space {

/// A name in an expression, as it is written there, and what it refers to.
struct Use {
    std::string written;
    Referent referent;
};
using Uses = std::vector<Use>;

/// What an expression sees of a field of this type.
symbolic::ValueType value_type(config::FieldType type);

/// Reads the quoted texts that are compared with a field, or derived for it.
/// \param labels  of the axis that sets the field, if one does
symbolic::TextResolver text_resolver(const config::FieldInfo& info, const std::vector<std::string>& labels);

/// The names of an expression as symbols. Axes come first, then derived values, then metrics; fields that no
/// axis sets are constants.
/// \param derived  what each derived value is
/// \param metrics  units of the metrics, as in results; those behind the last one have none
symbolic::SymbolTable symbols_for(const Uses& uses, const std::vector<Axis>& axes,
                                  std::span<const config::FieldInfo> derived,
                                  std::span<const std::string> metrics);

/// Derived::unit of each derived value: the one that the sweep writes, or else that of all quantities of its
/// dimension that it is computed from; empty if that is a usual unit or they differ.
/// \param uses   of each derived value
/// \param order  of the derived values, each after those that it needs
std::vector<std::string> derived_units(const SweepSpec& spec, std::span<const config::FieldInfo> derived,
                                       std::span<const Uses> uses, const std::vector<std::size_t>& order);

}  // namespace dse::space
