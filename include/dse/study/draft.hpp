#pragma once

#include <string>
#include <string_view>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/study/sweep.hpp"

namespace dse::study {

/// A sweep file as it was read: what its models and programs are is still to be seen.
struct Draft {
    Sweep sweep;
    config::Node root;  ///< of the document, with the settings of the command line in it
    config::Diagnostics diagnostics;
};

/// Where a sweep says something.
struct Place {
    config::Location where;
    std::string path;  ///< "workload.ir", "axes.ir"
};

/// Where the values of a field of the workload stand: on an axis, or in the workload itself.
Place place_of_values(const Draft& draft, const char* key);

/// Where a key of a section stands, else the section; of no section, nowhere.
const config::Location& place_of(const config::Node* section, const char* key);

/// Whether an axis or a derived value sets a field; so too where there is no right space.
bool is_varied(const Sweep& sweep, std::string_view path);

}  // namespace dse::study
