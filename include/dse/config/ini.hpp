#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/location.hpp"

namespace dse::config {

/// A key of an INI file.
struct IniEntry {
    std::string key;  ///< in lower case
    std::string value;
    Location where;
};

struct IniSection {
    std::string name;
    Location where;
    std::vector<IniEntry> entries;

    /// \param key  in lower case \return nullptr where it is absent
    [[nodiscard]] const IniEntry* find(std::string_view key) const;
};

/// Sections in the order of the file.
struct IniFile {
    std::vector<IniSection> sections;

    [[nodiscard]] const IniSection* find(std::string_view name) const;
};

/// Parses what Python's configparser takes in its default settings: `[section]`, `key = value` or
/// `key: value`, keys of any case, lines that begin with # or ; as comments, indented lines as more of the
/// value before them. A key or section that stands twice, and a line that is neither, is reported. Values
/// are not interpolated: "%(name)s" stays as it is.
IniFile parse_ini(std::string_view text, const std::string& name, Diagnostics& diagnostics);

}  // namespace dse::config
