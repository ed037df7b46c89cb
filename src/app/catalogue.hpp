#pragma once

#include <string>
#include <vector>

namespace dse::app {

/// Something that a sweep, or the command line, can name.
struct Entry {
    std::string name;
    std::string description;
};

/// Entries of one kind.
struct Family {
    std::string name;         ///< "devices"
    std::string description;  ///< where a sweep names one
    std::vector<Entry> entries;
};

/// Everything there is: the files of the library, then the registries, then axes and metrics.
std::vector<Family> catalogue();

}  // namespace dse::app
