#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/readers/mlir/aliases.hpp"
#include "ir/readers/mlir/tokens.hpp"

namespace dse::ir::mlir {

/// The locations stated for a program's operations, as texts of the file. The aliases that they use are
/// mostly defined at the end of the file, so that they are interpreted later.
class Locations {
  public:
    /// Records the location of the last operation of a computation. \param text  the inside of `loc(…)`
    void state(ComputationId computation, std::size_t operation, std::string_view text) {
        stated_.push_back({computation, operation, text});
    }

    struct Stated {
        ComputationId computation;
        std::size_t operation;  ///< its index there
        std::string_view text;
    };
    [[nodiscard]] const std::vector<Stated>& stated() const { return stated_; }

  private:
    std::vector<Stated> stated_;
};

/// Finds the framework's name in a location: of `"jit(step)/dot_general"(…)` the quoted text, of a fused
/// location the name of the first part that has one, of a call site that of the callee. A position in a file
/// is not a name.
/// Source: MLIR language reference, "Location attributes" (builtin dialect)
class LocationNames {
  public:
    /// \param tokens, aliases  must outlive this object; the position of the tokens is restored
    LocationNames(Tokens& tokens, const Aliases& aliases) : tokens_{tokens}, aliases_{aliases} {}

    /// \param text  the inside of `loc(…)`
    /// \return empty if it has no name or is not a location
    std::string_view name(std::string_view text);

    /// Labels the operations of a program with the names in their locations.
    void label(Program& program, const Locations& locations);

  private:
    std::string_view read(std::string_view text, int depth);
    std::string_view first_of_fused(std::string_view text, int depth);
    std::string_view of_alias(std::string_view alias, int depth);

    Tokens& tokens_;
    const Aliases& aliases_;
    std::unordered_map<std::string_view, std::string_view> known_;  ///< by alias
};

}  // namespace dse::ir::mlir
