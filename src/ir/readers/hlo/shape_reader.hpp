#pragma once

#include <vector>

#include "dse/base/name_table.hpp"
#include "dse/ir/program/type.hpp"
#include "scanner.hpp"

namespace dse::ir::hlo {

/// Reads shapes: `bf16[8,<=16]{1,0:T(8,128)(2,1)S(5)}`, `(f32[], token[])`. Equal spellings are parsed only
/// once.
class ShapeReader {
  public:
    ShapeReader(Scanner& scanner, TypeTable& types) : scanner_{scanner}, types_{types} {}

    /// Whether a shape comes next, as opposed to a name or an opcode.
    [[nodiscard]] bool next();
    /// \throws InputError if no shape comes next
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
    std::vector<TypeId> read_;  ///< by the spelling's number
};

}  // namespace dse::ir::hlo
