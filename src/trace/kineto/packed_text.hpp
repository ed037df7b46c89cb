#pragma once

#include <string>

namespace dse::trace::kineto {

/// A whole file as text, unpacked where it is compressed by gzip.
/// \throws InputError where it cannot be read
std::string read_packed(const std::string& path);

}  // namespace dse::trace::kineto
