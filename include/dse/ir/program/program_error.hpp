#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dse/base/error.hpp"

namespace dse::ir {

/// A valid program that cannot be partitioned, inlined or lowered, with the line that is the reason.
class ProgramError : public ModelError {
  public:
    /// \param line  in the program's text, from 1
    ProgramError(std::uint32_t line, std::string reason);

    [[nodiscard]] std::uint32_t line() const { return line_; }
    [[nodiscard]] const std::string& reason() const { return reason_; }
    /// "FILE:LINE: REASON", the format in which readers report errors.
    [[nodiscard]] std::string in(std::string_view file) const;

  private:
    std::uint32_t line_;
    std::string reason_;
};

/// Returns the result of an action.
/// \throws ModelError with the file's name if the action throws a ProgramError
template <class Action>
auto naming_file(std::string_view file, const Action& action) {
    try {
        return action();
    } catch (const ProgramError& error) {
        throw ModelError(error.in(file));
    }
}

}  // namespace dse::ir
