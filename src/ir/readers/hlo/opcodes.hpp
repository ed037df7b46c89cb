#pragma once

#include <string_view>
#include <vector>

#include "dse/base/name_table.hpp"
#include "dse/ir/program/opcode.hpp"

namespace dse::ir::hlo {

/// The meaning of an instruction's opcode.
struct OpcodeWord {
    Opcode opcode{Opcode::unknown};  ///< unknown: HLO has no such instruction
    /// For `dot-start`, if XLA wrapped the instruction in a computation that it does not print: dot, while
    /// `opcode` is async_start. The same holds for -update and -done.
    Opcode wrapped{Opcode::unknown};
};

/// HLO's opcodes by spelling.
class OpcodeWords {
  public:
    const OpcodeWord& operator[](std::string_view word);
    /// " (did you mean 'x'?)"
    [[nodiscard]] static std::string suggestion(std::string_view word);

  private:
    NameTable seen_;
    std::vector<OpcodeWord> words_;
};

}  // namespace dse::ir::hlo
