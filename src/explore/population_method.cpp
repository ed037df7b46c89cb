#include "explore/population_method.hpp"

#include "dse/base/check.hpp"

namespace dse::explore {

PopulationMethod::PopulationMethod(Knowledge& knowledge, std::size_t size, std::size_t drawn)
    : knowledge_{knowledge}, size_{size}, drawn_{drawn}, proposed_{knowledge.solutions().size()} {
    DSE_REQUIRE(size >= 4);
}

std::vector<Genome> PopulationMethod::propose(std::size_t most) {
    std::vector<Genome> genomes;
    while (genomes.size() < most) {
        std::optional<Genome> genome = proposed_ >= drawn_ ? child() : std::nullopt;
        if (!genome) genome = knowledge_.claim_any();
        if (!genome) break;
        ++proposed_;
        genomes.push_back(std::move(*genome));
    }
    return genomes;
}

}  // namespace dse::explore
