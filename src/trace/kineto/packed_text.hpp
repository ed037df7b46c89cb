#pragma once

#include <string>

namespace dse::trace::kineto {

/// The contents of a file as text, decompressed if it is gzip.
/// \throws InputError if it cannot be read
std::string read_packed(const std::string& path);

}  // namespace dse::trace::kineto
