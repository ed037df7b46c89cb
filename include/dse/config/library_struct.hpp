#pragma once

#include <string>

#include "dse/config/library.hpp"
#include "dse/config/reader.hpp"

namespace dse::config {

/// Reads a struct from a file of the library, by the name that sweeps use or by path.
/// \param where  origin of the name in messages: "command line", the path of a field
/// \throws InputError with all errors of the file, or with the nearest known name
template <class Struct>
Struct read_from_library(const Library& library, const char* folder, const std::string& name,
                         const std::string& where) {
    Diagnostics diagnostics;
    Struct result;
    if (const auto node = library.load(folder, Node::scalar(name, "", where), diagnostics)) {
        read_struct(*node, result, &library, diagnostics);
    }
    diagnostics.throw_if_any();
    return result;
}

}  // namespace dse::config
