#pragma once

#include <string>
#include <vector>

#include "dse/model/compute/systolic/architecture_file.hpp"
#include "dse/model/compute/systolic/buffers.hpp"
#include "dse/model/compute/systolic/layer.hpp"

namespace dse::model {

/// First and last cycle in which the array reads from a buffer or writes to it.
struct PortCycles {
    double first{0};
    double last{0};
};

/// A layer on an architecture, with everything that SCALE-Sim reports.
struct SystolicLayerRun {
    std::string name;
    SystolicFolds folds;
    BufferedRun memory;
    PortCycles ifmap;
    PortCycles filter;
    PortCycles ofmap;
};

/// Runs one layer. Under `calc` memory never stalls the array; as in SCALE-Sim, prefetching before cycle 0
/// proceeds at 10 words per cycle in hundredths of a buffer, and outputs are drained at one word per cycle
/// and column.
SystolicLayerRun run_layer(const ScaleSimArchitecture& architecture, const SystolicLayer& layer);

}  // namespace dse::model
