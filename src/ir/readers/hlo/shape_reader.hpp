#pragma once

#include <vector>

#include "dse/base/name_table.hpp"
#include "dse/ir/program/type.hpp"
#include "scanner.hpp"

namespace dse::ir::hlo {

/// Reads shapes: `bf16[8,<=16]{1,0:T(8,128)(2,1)S(5)}`, `(f32[], token[])`. What was spelled the same way
/// before is not parsed again.
class ShapeReader {
  public:
    ShapeReader(Scanner& scanner, TypeTable& types) : scanner_{scanner}, types_{types} {}

    /// A shape stands next, as opposed to a name or an opcode.
    [[nodiscard]] bool next();
    /// \throws InputError where none stands next
    TypeId read();

  private:
    void move_over();
    TypeId parse(int depth);
    TypeId parse_tuple(int depth);
    TypeId parse_array();
    void parse_sizes(Type& type);
    void parse_layout(Type& type);
    void parse_layout_details(Type& type);

    Scanner& scanner_;
    TypeTable& types_;
    NameTable spelled_;
    std::vector<TypeId> read_;  ///< by number of the spelling
};

}  // namespace dse::ir::hlo
