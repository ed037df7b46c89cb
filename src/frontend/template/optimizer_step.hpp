#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "block_state.hpp"
#include "frontend/template/structure.hpp"
#include "stage_parameters.hpp"

namespace dse::frontend {

// Storage forms of a stage's parameters. Adam has two moments and, if parameters are kept in a lower
// precision, a master copy.
inline constexpr std::array adam_forms{StageParameters::Form{Storage::moment, 2.0, true},
                                       StageParameters::Form{Storage::master, 1.0, true}};
inline constexpr std::array gradient_form{StageParameters::Form{Storage::gradient, 1.0, true}};
// Gradients in compute precision, and what an optimizer's step flattens: copies in it and in 32 bits.
inline constexpr std::array narrow_gradients{StageParameters::Form{Storage::parameter, 1.0, true}};
inline constexpr std::array flat_gradients{StageParameters::Form{Storage::parameter, 1.0, true},
                                           StageParameters::Form{Storage::full, 1.0, true}};

/// What a device holds of parameters that ZeRO shards from a stage on.
inline StageParameters::Held held_from(std::int64_t zero, std::int64_t stage) {
    return zero >= stage ? StageParameters::Held::shared : StageParameters::Held::whole;
}

/// What the optimizer's step of a stage is made from, and the structure that it is added to.
struct StepParts {
    std::span<const Block> blocks;
    std::span<const BlockState> states;  ///< by block
    const StructureOptions& options;
    std::int64_t zero;  ///< stage; 0 if no parameter has replicas
    StageParameters& parameters;
    Structure& structure;
};

/// The ends of a training step of one stage.
struct StepRegions {
    graph::RegionId update;  ///< before the first task: the optimizer, and gathers that nothing hides
    graph::RegionId finish;  ///< after the last task: reductions that nothing hides, and the gradient norm
};

/// \param counts  of the stage's program; the counts of loops are added
StepRegions make_optimizer_step(const StageUnits& units, const StepParts& parts,
                                std::vector<std::int64_t>& counts);

}  // namespace dse::frontend
