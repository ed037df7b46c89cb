#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/frontend/lowering/lower.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// Something that a program does not state, and what is assumed instead.
struct Assumption {
    std::uint32_t line{0};  ///< line of the program's text, starting at 1; 0: no single line
    std::string reason;     ///< message to the user

    /// "FILE:LINE", or "FILE" if it has no single line.
    [[nodiscard]] std::string place(std::string_view file) const;
};

/// Foreign calls without a cost rule, loops with an unknown trip count, and values whose size is not in the
/// text.
/// \param program  the program as it was read
/// \param lowered  the result of lowering it
std::vector<Assumption> assumptions(const ir::Program& program, const Lowered& lowered);

}  // namespace dse::frontend
