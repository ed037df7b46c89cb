#pragma once

#include <optional>
#include <string_view>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// The numbers of a list in a configuration: `"lhs_contracting_dimensions":["1","2"]`; also the first one
/// behind a first key, as in `"shape":{"dimensions":["1","2"]}`. \return none where there is no such list
Sizes configured_numbers(std::string_view configuration, std::string_view key, std::string_view inner = {});

/// What rules look at of an operation that another library carries out.
struct ForeignView {
    ForeignView(const Program& program, const Operation& operation);

    [[nodiscard]] const Type* operand(std::size_t i) const;
    [[nodiscard]] double elements(std::size_t i) const;
    /// The first array of the results. \pre there are results
    [[nodiscard]] TypeId result() const;
    /// Arrays in and out; scratch memory aside.
    [[nodiscard]] double bytes() const;
    /// The number behind a key of the configuration: `attn_heads = 128 : i64`, `"alpha":1`.
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
