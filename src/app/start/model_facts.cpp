#include "app/start/model_facts.hpp"

#include <charconv>

#include "dse/config/diagnostics.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::app {

double symbol_of(const frontend::ModelFile& model, const std::string& name, double otherwise) {
    for (const frontend::ModelFile::Symbol& symbol : model.symbols) {
        if (symbol.name == name) return symbol.value;
    }
    // Templates of unlike parts have the sizes of a part where it is used.
    for (const frontend::ModelFile::BlockUse& use : model.blocks) {
        for (const frontend::ModelFile::BlockSize& size : use.sizes) {
            if (size.name != name) continue;
            double value = 0.0;
            const char* end = size.value.data() + size.value.size();
            const auto [next, status] = std::from_chars(size.value.data(), end, value);
            if (status == std::errc{} && next == end) return value;
        }
    }
    return otherwise;
}

ModelFacts model_facts(const config::Library& library, const std::string& model) {
    config::Diagnostics diagnostics;
    ModelFacts facts;
    if (const auto node =
            library.load("workloads/models", config::Node::scalar(model, "", "--model"), diagnostics))
        facts.file = frontend::read_model(*node, diagnostics);
    diagnostics.throw_if_any();
    frontend::TemplateFrontend templates{library};
    graph::WorkloadSpec workload;
    workload.model = model;
    facts.sequences = templates.works_on_sequences(model);
    workload.sequence = facts.sequences ? 1024 : 0;
    workload.mode = graph::Mode::decode;
    facts.no_serving = templates.misfit(workload);
    workload.mode = graph::Mode::training;
    facts.parameters = templates.parameter_count(workload);
    const double heads = symbol_of(facts.file, "n", symbol_of(facts.file, "heads", 1.0));
    facts.heads = static_cast<std::int64_t>(symbol_of(facts.file, "k", heads));
    facts.layers = static_cast<std::int64_t>(symbol_of(facts.file, "layers", 1.0));
    facts.experts = static_cast<std::int64_t>(symbol_of(facts.file, "experts", 0.0));
    facts.longest = templates.positions(model);
    if (facts.longest == 0) facts.longest = facts.file.context;
    facts.tables = symbol_of(facts.file, "rows", 0.0) > 0.0;
    return facts;
}

}  // namespace dse::app
