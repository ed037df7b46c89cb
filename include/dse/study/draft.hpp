#pragma once

#include <string>
#include <string_view>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/study/sweep.hpp"

namespace dse::study {

/// A sweep file as read, before it is checked against its models and programs.
struct Draft {
    Sweep sweep;
    config::Node root;  ///< root of the document, with the command line's settings applied
    config::Diagnostics diagnostics;
};

/// A location in a sweep.
struct Place {
    config::Location where;
    std::string path;  ///< "workload.ir", "axes.ir"
};

/// The axis that sets a field; nullptr if none does.
/// \param path  "workload.traffic.rate"
const space::Axis* axis_of(const Sweep& sweep, std::string_view path);

/// Where the values of a field are given: on an axis, or in its section.
Place place_of_values(const Draft& draft, std::string_view path);

/// Warns of a field there.
void warn_of_values(Draft& draft, std::string_view path, std::string reason);

/// Location of a key such as "traffic.rate" in a section, or of the innermost section on the way that exists.
const config::Location& place_of(const config::Node& section, std::string_view key);

/// Whether an axis or a derived value sets a field, even if the space is invalid.
bool is_varied(const Sweep& sweep, std::string_view path);

/// Whether the sweep's own text sets a field, other than on an axis.
bool is_stated(const Sweep& sweep, std::string_view path);

}  // namespace dse::study
