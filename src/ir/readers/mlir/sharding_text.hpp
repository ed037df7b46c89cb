#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "ir/readers/hlo/scanner.hpp"
#include "ir/readers/hlo/sharding_reader.hpp"
#include "ir/readers/mlir/attribute_text.hpp"
#include "ir/readers/mlir/sdy_text.hpp"
#include "ir/readers/mlir/statement.hpp"

namespace dse::ir::mlir {

/// Finds the shardings of values in the attributes of operations, arguments and results: `sdy.sharding`,
/// `mhlo.sharding` (GSPMD's strings, in words or as bytes), and what Shardy leaves in
/// `mhlo.frontend_attributes`.
class ShardingText {
  public:
    ShardingText(AttributeText& text, SdyText& sdy, ProgramBuilder& builder, const Source& source)
        : text_{text}, sdy_{sdy}, builder_{builder}, scanner_{source}, gspmd_{scanner_, builder.program()} {}

    /// Meshes that a module's `mhlo.frontend_attributes` define.
    void define_meshes(std::string_view frontend_attributes);

    /// Of a dictionary's text; empty text: none. \param types  of the values that it speaks of
    ShardingId of_dictionary(std::string_view text, std::span<const TypeId> types);
    ShardingId of_entries(std::span<const Statement::Entry> entries, std::span<const TypeId> types);
    /// Gives each result its part.
    void assign(ShardingId sharding, Range results);
    /// A custom call that only states a sharding is no call. \param opcode  of it, changed where it is such
    void restate(Opcode& opcode, Attribute& attribute, ShardingId sharding);

    /// What GSPMD's strings say of all devices without naming them is said of so many. \pre devices > 0
    void expect_devices(std::int64_t devices) { gspmd_.expect_devices(devices); }

  private:
    std::vector<Sharding> stated(const Statement::Entry& entry);
    std::vector<Sharding> of_string(std::string_view quoted);
    std::vector<Sharding> of_bytes(std::string_view quoted);

    AttributeText& text_;
    SdyText& sdy_;
    ProgramBuilder& builder_;
    hlo::Scanner scanner_;
    hlo::ShardingReader gspmd_;
};

}  // namespace dse::ir::mlir
