#pragma once

#include <map>
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

/// Structs from files of one folder of the library, each of which is read once.
template <class Struct>
class LibraryShelf {
  public:
    /// \param library  must outlive this object
    LibraryShelf(const Library& library, const char* folder) : library_{&library}, folder_{folder} {}

    /// As read_from_library(); valid as long as this object.
    const Struct& get(const std::string& name, const std::string& where) {
        const auto known = structs_.find(name);
        if (known != structs_.end()) return known->second;
        return structs_.emplace(name, read_from_library<Struct>(*library_, folder_, name, where))
            .first->second;
    }

  private:
    const Library* library_;
    const char* folder_;
    std::map<std::string, Struct> structs_;
};

}  // namespace dse::config
