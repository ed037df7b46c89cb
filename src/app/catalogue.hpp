#pragma once

#include <string>
#include <vector>

namespace dse::app {

/// Something that a sweep or the command line can refer to by name.
struct Entry {
    std::string name;
    std::string description;
};

/// Entries of one kind.
struct Family {
    std::string name;         ///< "devices"
    std::string description;  ///< including where a sweep refers to one
    std::vector<Entry> entries;
};

/// All families: the files of the library, then the registries, then axes and metrics.
std::vector<Family> catalogue();

}  // namespace dse::app
