#pragma once

#include <string>

namespace dse::study {

/// `key=value` of the command line: fixes an axis, or sets a field of workload, system or fidelity.
struct Setting {
    std::string key;
    std::string value;
};

/// \throws InputError for a text that is no "key=value"
Setting parse_setting(const std::string& text);

}  // namespace dse::study
