#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/field_index.hpp"
#include "dse/space/sweep_spec.hpp"

namespace dse::space {

/// What a name in an expression refers to.
struct Referent {
    enum class Kind { axis, derived, metric, field };
    Kind kind{Kind::field};
    std::size_t index{0};                    ///< of the axis, derived value or metric
    const config::FieldRef* field{nullptr};  ///< a fixed field
};

/// The names that the expressions of a sweep may use: names of axes and derived values, else the unique field
/// whose dotted path ends with the name. A field that is set by an axis or derived value refers to that.
class NameScope {
  public:
    NameScope(const SweepSpec& spec, const config::FieldIndex& fields);

    /// \returns nothing for an unknown or ambiguous name, with the reason and the nearest known name in
    /// `error`
    [[nodiscard]] std::optional<Referent> find(std::string_view name, std::string& error) const;

    /// Path of the field that a derived value sets; empty if it sets none.
    [[nodiscard]] const std::string& target(std::size_t derived) const { return targets_[derived]; }

  private:
    [[nodiscard]] std::optional<Referent> setter_of(std::string_view path) const;
    [[nodiscard]] const std::vector<std::string>& known() const;

    const SweepSpec& spec_;
    const config::FieldIndex& fields_;
    std::vector<std::string> targets_;
    mutable std::vector<std::string> known_;  ///< made when a name is not known; thousands may not be
};

}  // namespace dse::space
