#pragma once

#include <string>

namespace dse::model {

/// An architecture file with every key that SCALE-Sim needs: 16 × 8, weights stay, bandwidth as needed.
inline std::string architecture_text() {
    return "[general]\n"
           "run_name = study\n"
           "\n"
           "[architecture_presets]\n"
           "ArrayHeight:    16\n"
           "ArrayWidth: 8\n"
           "IfmapSramSzkB: 64\n"
           "FilterSramSzkB: 32\n"
           "OfmapSramSzkB: 16\n"
           "IfmapOffset: 0\n"
           "FilterOffset: 10000000\n"
           "OfmapOffset: 20000000\n"
           "Dataflow : ws\n"
           "Bandwidth : 10, 20\n"
           "MemoryBanks:   1\n"
           "ReadRequestBuffer: 32\n"
           "WriteRequestBuffer: 32\n"
           "[layout]\n"
           "IfmapCustomLayout: False\n"
           "IfmapSRAMBankBandwidth: 12\n"
           "IfmapSRAMBankNum: 4\n"
           "IfmapSRAMBankPort: 2\n"
           "FilterCustomLayout: False\n"
           "FilterSRAMBankBandwidth: 14\n"
           "FilterSRAMBankNum: 7\n"
           "FilterSRAMBankPort: 2\n"
           "[sparsity]\n"
           "SparsitySupport : false\n"
           "[run_presets]\n"
           "InterfaceBandwidth: CALC\n"
           "UseRamulatorTrace: False\n";
}

}  // namespace dse::model
