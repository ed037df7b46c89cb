#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::hlo {

/// What the names of a module refer to. Computations are visible everywhere after their definition, values
/// only in their own computation. Computations may be nested (bodies in place); the inner one does not see
/// the outer one's values.
class Names {
  public:
    explicit Names(Program& program) : program_{program} {}

    void open();
    void close();

    /// \return whether the name was free in the open computation
    bool define(NameId name, ValueId value);
    bool define(NameId name, ComputationId computation);

    [[nodiscard]] std::optional<ValueId> value(NameId name) const;
    [[nodiscard]] std::optional<ComputationId> computation(NameId name) const;
    /// " (did you mean '%x'?)" with a value of the open computation
    [[nodiscard]] std::string value_suggestion(std::string_view name) const;
    [[nodiscard]] std::string computation_suggestion(std::string_view name) const;

  private:
    struct Entry {
        std::uint32_t scope{0};  ///< 0: not a value
        ValueId value;
        std::optional<ComputationId> computation;
    };
    Entry& entry(NameId name);
    bool enter(NameId name, ValueId value);

    struct Scope {
        std::uint32_t number;
        std::vector<std::pair<NameId, ValueId>> values;  ///< in order of definition
    };

    Program& program_;
    std::vector<Entry> entries_;  ///< by the name's number
    std::vector<Scope> open_;
    std::uint32_t scopes_{0};
};

}  // namespace dse::ir::hlo
