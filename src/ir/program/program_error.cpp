#include "dse/ir/program/program_error.hpp"

#include <utility>

#include <fmt/format.h>

namespace dse::ir {

ProgramError::ProgramError(std::uint32_t line, std::string reason)
    : ModelError{fmt::format("line {}: {}", line, reason)}, line_{line}, reason_{std::move(reason)} {}

std::string ProgramError::in(std::string_view file) const {
    return fmt::format("{}:{}: {}", file, line_, reason_);
}

}  // namespace dse::ir
