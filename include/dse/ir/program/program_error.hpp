#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dse/base/error.hpp"

namespace dse::ir {

/// A program that was read well cannot be partitioned, inlined or lowered; and the line that is why.
class ProgramError : public ModelError {
  public:
    /// \param line  in the program's text, from 1
    ProgramError(std::uint32_t line, std::string reason);

    [[nodiscard]] std::uint32_t line() const { return line_; }
    [[nodiscard]] const std::string& reason() const { return reason_; }
    /// "FILE:LINE: REASON", as readers report what they refuse.
    [[nodiscard]] std::string in(std::string_view file) const;

  private:
    std::uint32_t line_;
    std::string reason_;
};

/// What an action gives. \throws ModelError with the file's name where the action throws a ProgramError
template <class Action>
auto naming_file(std::string_view file, const Action& action) {
    try {
        return action();
    } catch (const ProgramError& error) {
        throw ModelError(error.in(file));
    }
}

}  // namespace dse::ir
