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
/// `mhlo.sharding` (GSPMD's strings, as words or bytes), and those that Shardy stores in
/// `mhlo.frontend_attributes`.
class ShardingText {
  public:
    ShardingText(AttributeText& text, SdyText& sdy, ProgramBuilder& builder, const Source& source)
        : text_{text}, sdy_{sdy}, builder_{builder}, scanner_{source}, gspmd_{scanner_, builder.program()} {}

    /// Defines the meshes in a module's `mhlo.frontend_attributes`.
    void define_meshes(std::string_view frontend_attributes);

    /// Sharding in a dictionary's text; none if it is empty. \param types  of the values that it applies to
    ShardingId of_dictionary(std::string_view text, std::span<const TypeId> types);
    ShardingId of_entries(std::span<const Statement::Entry> entries, std::span<const TypeId> types);
    /// Assigns each result its part.
    void assign(ShardingId sharding, Range results);
    /// Converts a custom call that only states a sharding. \param opcode  changed if it is such a call
    void restate(Opcode& opcode, Attribute& attribute, ShardingId sharding);

    /// Number of devices that GSPMD's strings mean if they refer to all devices without listing them.
    /// \pre devices > 0
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
