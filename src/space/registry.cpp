#include "dse/space/registry.hpp"

#include "space/grid_sampler.hpp"
#include "space/latin_hypercube_sampler.hpp"
#include "space/random_sampler.hpp"
#include "space/sobol_sampler.hpp"

namespace dse::space {

namespace {

template <class Method>
std::unique_ptr<Sampler> make(std::shared_ptr<const Space> space) {
    return std::make_unique<Method>(std::move(space));
}

}  // namespace

const FactoryTable<SamplerFactory>& samplers() {
    static const FactoryTable<SamplerFactory> table(
        "search method",
        {
            {"grid", "every point of the space", &make<GridSampler>},
            {"random", "points drawn uniformly, none twice", &make<RandomSampler>},
            {"sobol", "a low-discrepancy sequence, shifted by the seed", &make<SobolSampler>},
            {"latin_hypercube", "every axis evenly covered by the budget", &make<LatinHypercubeSampler>},
        });
    return table;
}

const std::vector<std::string>& learning_methods() {
    static const std::vector<std::string> names{"nsga2", "moead", "refine", "proven", "screen"};
    return names;
}

}  // namespace dse::space
