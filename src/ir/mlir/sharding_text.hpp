#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dse/ir/program_builder.hpp"
#include "ir/mlir/attribute_text.hpp"
#include "ir/mlir/sdy_text.hpp"
#include "ir/mlir/statement.hpp"

namespace dse::ir::mlir {

/// Finds the shardings of values in the attributes of operations, arguments and results: `sdy.sharding`,
/// `mhlo.sharding` (GSPMD's strings), and what Shardy leaves in `mhlo.frontend_attributes`.
class ShardingText {
  public:
    ShardingText(AttributeText& text, SdyText& sdy, ProgramBuilder& builder)
        : text_{text}, sdy_{sdy}, builder_{builder} {}

    /// Of a dictionary's text; empty text: none. \param types  of the values that it speaks of
    ShardingId of_dictionary(std::string_view text, std::span<const TypeId> types);
    ShardingId of_entries(std::span<const Statement::Entry> entries, std::span<const TypeId> types);
    /// Gives each result its part.
    void assign(ShardingId sharding, Range results);
    /// A custom call that only states a sharding is no call. \param opcode  of it, changed where it is such
    void restate(Opcode& opcode, Attribute& attribute, ShardingId sharding);

  private:
    AttributeText& text_;
    SdyText& sdy_;
    ProgramBuilder& builder_;
};

}  // namespace dse::ir::mlir
