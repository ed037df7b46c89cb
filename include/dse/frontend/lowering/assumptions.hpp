#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/frontend/lowering/lower.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// Something that a program does not say, and what is taken for it.
struct Assumption {
    std::uint32_t line{0};  ///< in the program's text, from 1; 0: it has no one place
    std::string reason;     ///< a sentence for people

    /// "FILE:LINE", or "FILE" where it has no one place.
    [[nodiscard]] std::string place(std::string_view file) const;
};

/// Foreign calls that no rule costs, loops that do not say how often they run, and values whose size is not
/// in the text.
/// \param program  as its reader gave it
/// \param lowered  the graph made of it
std::vector<Assumption> assumptions(const ir::Program& program, const Lowered& lowered);

}  // namespace dse::frontend
