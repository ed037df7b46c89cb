#pragma once

#include <functional>
#include <string>

#include "dse/base/error.hpp"

namespace dse::test {

/// What an action tells the user, or "no error".
template <class Error = InputError>
std::string error_message(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace dse::test
