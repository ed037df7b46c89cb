#pragma once

#include <string_view>
#include <vector>

#include "dse/base/name_table.hpp"
#include "dse/ir/program/opcode.hpp"

namespace dse::ir::hlo {

/// What an instruction's opcode means.
struct OpcodeWord {
    Opcode opcode{Opcode::unknown};  ///< unknown: HLO has no such instruction
    /// Of `dot-start`, where XLA wrapped the instruction into a computation of its own and does not print it:
    /// dot, and `opcode` is async_start. Likewise of -update and -done.
    Opcode wrapped{Opcode::unknown};
};

/// HLO's opcodes, by how they are spelled.
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
