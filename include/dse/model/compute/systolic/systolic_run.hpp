#pragma once

#include <string>
#include <vector>

#include "dse/model/compute/systolic/architecture_file.hpp"
#include "dse/model/compute/systolic/buffers.hpp"
#include "dse/model/compute/systolic/layer.hpp"

namespace dse::model {

/// First and last cycle in which the array asks a buffer for words, or hands it some.
struct PortCycles {
    double first{0};
    double last{0};
};

/// A layer on an architecture: all that SCALE-Sim reports of it.
struct SystolicLayerRun {
    std::string name;
    SystolicFolds folds;
    BufferedRun memory;
    PortCycles ifmap;
    PortCycles filter;
    PortCycles ofmap;
};

/// Runs one layer. Under `calc` memory never stalls the array; what is there before cycle 0 comes at 10 words
/// a cycle in hundredths of a buffer, and outputs leave at one word a cycle and column, as in SCALE-Sim.
SystolicLayerRun run_layer(const ScaleSimArchitecture& architecture, const SystolicLayer& layer);

}  // namespace dse::model
