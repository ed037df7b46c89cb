#include "dse/netsim/astra/program.hpp"

#include "dse/base/check.hpp"
#include "netsim/astra/exchange.hpp"
#include "netsim/astra/scheduled.hpp"
#include "netsim/astra/tree.hpp"

namespace dse::netsim {

using hardware::Algorithm;

void AstraProgram::ended(Host& /*host*/, std::uint32_t /*step*/) {
    DSE_REQUIRE(false && "only schedules have steps");
}

std::unique_ptr<AstraProgram> make_program(const AstraPhase& phase, std::int64_t index, std::int64_t turn) {
    if (phase.schedule != nullptr) return std::make_unique<AstraScheduled>(*phase.schedule, index);
    switch (phase.algorithm.algorithm) {
        case Algorithm::ring:
            return std::make_unique<AstraRing>(phase, index);
        case Algorithm::direct:
            return std::make_unique<AstraDirect>(phase, index);
        case Algorithm::halving_doubling:
            return std::make_unique<AstraHalvingDoubling>(phase, index);
        case Algorithm::double_binary_tree:
            return std::make_unique<AstraTree>(phase, index, turn);
        case Algorithm::automatic:
            break;
    }
    DSE_REQUIRE(false && "a phase without an algorithm");
    return nullptr;
}

}  // namespace dse::netsim
