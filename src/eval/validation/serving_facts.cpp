#include "dse/eval/validation/serving_facts.hpp"

#include "dse/config/reader.hpp"

namespace dse::eval {

ServingFacts read_serving_facts(const config::Node& node, config::Diagnostics& diagnostics) {
    ServingFacts facts;
    config::read_struct(node, facts, nullptr, diagnostics);
    return facts;
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
