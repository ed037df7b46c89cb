#include "dse/space/registry.hpp"

#include <algorithm>

#include "space/grid_sampler.hpp"
#include "space/latin_hypercube_sampler.hpp"
#include "space/random_sampler.hpp"
#include "space/sobol_sampler.hpp"

namespace dse::space {

namespace {

template <class Method>
std::unique_ptr<Sampler> create(std::shared_ptr<const Space> space) {
    return std::make_unique<Method>(std::move(space));
}

}  // namespace

const FactoryTable<SamplerFactory>& samplers() {
    static const FactoryTable<SamplerFactory> table(
        "search method",
        {
            {"grid", "every point of the space", {&create<GridSampler>, true}},
            {"random", "points drawn uniformly, without repetition", {&create<RandomSampler>}},
            {"sobol",
             "a low-discrepancy sequence, shifted by the seed",
             {&create<SobolSampler>, false, true}},
            {"latin_hypercube",
             "every axis covered evenly by the budget",
             {&create<LatinHypercubeSampler>, false, true}},
        });
    return table;
}

bool walks_grid(std::string_view method) {
    const auto& rows = samplers().rows();
    return std::ranges::any_of(rows,
                               [&](const auto& row) { return row.name == method && row.make.walks_grid; });
}

const std::vector<std::string>& learning_methods() {
    static const std::vector<std::string> names{"nsga2", "moead", "refine", "proven", "screen"};
    return names;
}

}  // namespace dse::space
