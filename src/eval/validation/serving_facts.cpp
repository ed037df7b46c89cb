#include "dse/eval/validation/serving_facts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/reader.hpp"

namespace dse::eval {

ServingFacts read_serving_facts(const config::Node& node, config::Diagnostics& diagnostics) {
    ServingFacts facts;
    config::read_struct(node, facts, nullptr, diagnostics);
    return facts;
}

const NamedFile* find_named(const std::vector<NamedFile>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &NamedFile::name);
    return found == all.end() ? nullptr : &*found;
}

const NamedFile& require_named(const std::vector<NamedFile>& all, const std::string& name, const char* what) {
    if (const NamedFile* found = find_named(all, name)) return *found;
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const NamedFile& file : all) names.push_back(file.name);
    throw ModelError(fmt::format("no {} is described for '{}'{}", what, name, suggestion(name, names)));
}

const EngineFacts* find_engine(const ServingFacts& facts, const std::string& framework,
                               const std::string& release) {
    const std::string name = framework + " " + release;
    const EngineFacts* last = nullptr;
    for (const EngineFacts& engine : facts.engines) {
        if (name.starts_with(engine.match)) last = &engine;
    }
    return last;
}

}  // namespace dse::eval
