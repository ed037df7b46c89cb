#pragma once

#include <string>

namespace dse::study {

/// A `key=value` argument of the command line: fixes an axis, or sets a field of workload, system or
/// fidelity.
struct Setting {
    std::string key;
    std::string value;
};

/// \throws InputError if the text does not have the form "key=value"
Setting parse_setting(const std::string& text);

}  // namespace dse::study
