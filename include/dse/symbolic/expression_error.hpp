#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dse/base/error.hpp"

namespace dse::symbolic {

/// An invalid expression. what() contains the expression, the position and the reason.
class ExpressionError : public InputError {
  public:
    /// \param position  offset into the text in characters, starting at 0
    ExpressionError(std::string_view text, std::size_t position, const std::string& reason);

    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] const std::string& reason() const { return reason_; }

  private:
    std::size_t position_;
    std::string reason_;
};

}  // namespace dse::symbolic
