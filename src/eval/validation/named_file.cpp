#include "dse/eval/validation/named_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/source_text.hpp"

namespace dse::eval {

const NamedFile* find_named(const std::vector<NamedFile>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &NamedFile::name);
    return found == all.end() ? nullptr : &*found;
}

const NamedFile& require_named(const std::vector<NamedFile>& all, const std::string& name, const char* what) {
    if (const NamedFile* found = find_named(all, name)) return *found;
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const NamedFile& file : all) names.push_back(file.name);
    throw ModelError(
        fmt::format("no {} is described for '{}'{}", what, config::excerpt(name), suggestion(name, names)));
}

}  // namespace dse::eval
