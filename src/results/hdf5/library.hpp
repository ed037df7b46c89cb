#pragma once

#include <string>
#include <string_view>

#include <hdf5.h>

#include "results/hdf5/handle.hpp"

namespace dse::results::h5 {

/// Must be called before anything else of HDF5. Disables HDF5's own error output to stderr (dse reports
/// errors in its own messages), and its work at the end of the process.
void prepare();

/// HDF5's last error: the operating system's message if there is one, else the innermost line.
std::string last_error();

/// \throws InputError "cannot <action> '<file>': <why>"
[[noreturn]] void fail(std::string_view action, std::string_view file);

/// Returns the value of an HDF5 call; a negative value is an error.
template <class T>
T check(T value, std::string_view action, std::string_view file) {
    if (value < 0) fail(action, file);
    return value;
}

inline Handle own(hid_t id, Handle::Close close, std::string_view action, std::string_view file) {
    return {check(id, action, file), close};
}

}  // namespace dse::results::h5
