#pragma once

#include <optional>
#include <string_view>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// The numbers of a list in a configuration: `"lhs_contracting_dimensions":["1","2"]`; with `inner`, of the
/// first list of that name after the key, as in `"shape":{"dimensions":["1","2"]}`.
/// \return none if there is no such list
Sizes configured_numbers(std::string_view configuration, std::string_view key, std::string_view inner = {});

/// The view that cost rules have of an operation executed by another library.
struct ForeignView {
    ForeignView(const Program& program, const Operation& operation);

    [[nodiscard]] const Type* operand(std::size_t i) const;
    [[nodiscard]] double elements(std::size_t i) const;
    /// The first array of the results. \pre there are results
    [[nodiscard]] TypeId result() const;
    /// Bytes of all input and output arrays, except for scratch memory.
    [[nodiscard]] double bytes() const;
    /// The number of a key in the configuration: `attn_heads = 128 : i64`, `"alpha":1`.
    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    /// \see configured_numbers
    [[nodiscard]] Sizes numbers(std::string_view key, std::string_view inner = {}) const {
        return configured_numbers(configuration, key, inner);
    }

    const Program& program;
    const Operation& operation;
    std::string_view configuration;
};

}  // namespace dse::ir
