#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/synth/model.hpp"
#include "synth/layerdag/layerdag_model.hpp"
#include "synth/markov/markov_model.hpp"

namespace dse::synth {
namespace {

std::unique_ptr<Model> fit_markov(const Corpus& corpus, const std::string& nets) {
    if (!nets.empty()) throw InputError("'markov' has no networks: leave --nets out");
    return MarkovModel::fit(corpus);
}

}  // namespace

const std::vector<ModelKind>& model_kinds() {
    static const std::vector<ModelKind> table{
        {"markov", "layers, operators, edges and sizes from conditional counts", &fit_markov,
         &MarkovModel::read},
        {"layerdag", "layers drawn by networks, which analysis/layerdag trains", &LayerdagModel::fit,
         &LayerdagModel::read},
    };
    return table;
}

const ModelKind& model_kind(std::string_view name) {
    const auto& kinds = model_kinds();
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const ModelKind& kind) { return kind.name == name; });
    if (found != kinds.end()) return *found;
    std::vector<std::string> names;
    for (const ModelKind& kind : kinds) names.push_back(kind.name);
    throw InputError(
        fmt::format("no model of synthetic workloads is called '{}'{}", name, suggestion(name, names)));
}

}  // namespace dse::synth
