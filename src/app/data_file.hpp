#pragma once

#include <string>

#include "dse/config/library.hpp"
#include "dse/config/reader.hpp"

namespace dse::app {

/// A struct from a data file, by the name that sweeps use or by path.
/// \throws InputError with every error of the file, or with the nearest known name
template <class Struct>
Struct load_data(const char* folder, const std::string& name) {
    const config::Library library = config::Library::standard("");
    config::Diagnostics diagnostics;
    Struct result;
    const config::Node node = config::Node::scalar(name, "", "command line");
    if (const auto data = library.load(folder, node, diagnostics)) {
        config::read_struct(*data, result, &library, diagnostics);
    }
    diagnostics.throw_if_any();
    return result;
}

}  // namespace dse::app
