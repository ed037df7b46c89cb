#pragma once

namespace dse::ir {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace dse::ir
