#pragma once

#include <string>
#include <string_view>

#include <hdf5.h>

#include "results/hdf5/handle.hpp"

namespace dse::results::h5 {

/// To be called before anything else of HDF5: no error lines on stderr of its own accord (dse tells them in
/// its own messages), and no work at the end of the process.
void prepare();

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
