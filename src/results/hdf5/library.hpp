#pragma once

#include <string>
#include <string_view>

#include <hdf5.h>

#include "results/hdf5/handle.hpp"

namespace dse::results::h5 {

/// HDF5 prints its errors to stderr of its own accord; dse tells them in its own messages.
void silence();

/// What HDF5 says of its last error: the operating system's words where there are some, else its innermost
/// line.
std::string last_error();

/// \throws InputError "cannot <action> '<file>': <why>"
[[noreturn]] void fail(std::string_view action, std::string_view file);

/// The value of an HDF5 call, which is negative when it failed.
template <class T>
T check(T value, std::string_view action, std::string_view file) {
    if (value < 0) fail(action, file);
    return value;
}

inline Handle own(hid_t id, Handle::Close close, std::string_view action, std::string_view file) {
    return {check(id, action, file), close};
}

}  // namespace dse::results::h5
