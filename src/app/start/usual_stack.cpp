#include "app/start/usual_stack.hpp"

#include <algorithm>
#include <array>

namespace dse::app {

std::span<const UsualStack> usual_stacks() {
    constexpr bool dense = false;
    constexpr bool experts = true;
    // Of several that were measured, the one that most users of the device could run. Not here: those in
    // which a model finds no layout that fits (FlagScale of 2023 on H800, Megatron-LM of 2021 on V100,
    // Megatron-Core of 2024 with experts on A100).
    static constexpr std::array stacks{
        UsualStack{"AMD Instinct MI300X 192 GB", dense, "primus_2025", "torchtitan_2025, nemo_amd_2025"},
        UsualStack{"AMD Instinct MI350X 288 GB", dense, "primus_2026", "nemo_amd_2025, torchtitan_2025"},
        UsualStack{"AMD Instinct MI355X 288 GB", dense, "primus_2026", "primus_2025, nemo_amd_2025"},
        UsualStack{"AWS Trainium 1, one core", dense, "neuron_distributed_2024",
                   "neuron_distributed_2024_flash, neuron_nemo_2023"},
        UsualStack{"Google TPU v4", dense, "maxtext_2024", "maxtext_2025_offload, maxtext_2025_sorted"},
        UsualStack{"Google TPU v5e", dense, "maxtext_2024", "maxtext_2025_offload, maxtext_2025_sorted"},
        UsualStack{"Google TPU v5p", dense, "maxtext_2024", "maxtext_2025_offload, maxtext_2025_sorted"},
        UsualStack{"Google TPU v5p", experts, "maxtext_2025_sorted_offload",
                   "maxtext_2025_offload, maxtext_2025_sorted"},
        UsualStack{"Google TPU v6e", dense, "maxtext_2024", "maxtext_2025_offload, maxtext_2025_sorted"},
        UsualStack{"Google TPU v6e", experts, "maxtext_2025_offload",
                   "maxtext_2025_sorted_offload, maxtext_2025_sorted"},
        UsualStack{"Google TPU v7x", dense, "maxtext_2024", "maxtext_2025_offload, maxtext_2025_sorted"},
        UsualStack{"Google TPU v7x", experts, "maxtext_2025_sorted",
                   "maxtext_2025_sorted_offload, maxtext_2025_offload"},
        UsualStack{"Huawei Ascend 910B2 64 GB", dense, "ascend_2024",
                   "ascend_2024_overlap, ascend_2024_plain"},
        UsualStack{"Intel Data Center GPU Max 1550, one tile", dense, "megatron_deepspeed_2025_aurora",
                   "megatron_deepspeed_2022, pytorch_eager"},
        UsualStack{"Intel Gaudi 2 96 GB", dense, "gaudi_deepspeed_2024",
                   "gaudi_deepspeed_2024_flash, gaudi_deepspeed_2024_fp32_gradients"},
        UsualStack{"NVIDIA A100 SXM 40 GB", dense, "llm_foundry_2023", "megatron_core_2025, paddle_2023"},
        UsualStack{"NVIDIA A100 SXM 80 GB", dense, "megatron_core_2025",
                   "llm_foundry_2023, bigscience_2022_bf16"},
        UsualStack{"NVIDIA B200 SXM 180 GB", dense, "nemo_2025_nodes", "torchtitan_2025, mlperf_2025"},
        UsualStack{"NVIDIA B200 SXM 180 GB", experts, "nemo_2025_nodes_deepep",
                   "nemo_2025_nodes_overlap, mcore_2026_bf16_eager"},
        UsualStack{"NVIDIA B300 SXM 288 GB", experts, "nemo_2025_nodes_deepep",
                   "nemo_2025_nodes_overlap, mcore_2026_bf16_eager"},
        UsualStack{"NVIDIA GB200", dense, "nemo_2025", "nemo_2026, nemo_2025_fsdp_gb200"},
        UsualStack{"NVIDIA GB200", experts, "nemo_2025", "nemo_2026, mcore_2026_bf16"},
        UsualStack{"NVIDIA GB300", dense, "nemo_2025", "nemo_2026, nemo_2025_fsdp_gb300"},
        UsualStack{"NVIDIA GB300", experts, "nemo_2025", "nemo_2026, mcore_2026_bf16"},
        UsualStack{"NVIDIA H100 SXM 80 GB", dense, "torchtitan_2025", "megatron_core_2025, nemo_2025_nodes"},
        UsualStack{"NVIDIA H100 SXM 80 GB", experts, "nemo_2025_nodes_deepep",
                   "nemo_2025_nodes_overlap, mcore_2026_bf16_eager"},
        UsualStack{"NVIDIA H100 SXM 96 GB HBM2e 500 W", dense, "torchtitan_2025",
                   "megatron_core_2025, meta_2024"},
        UsualStack{"NVIDIA H200 SXM 141 GB", dense, "torchtitan_2025", "megatron_core_2025, mlperf_2025"},
    };
    return stacks;
}

const UsualStack* usual_stack(const ModelFacts& model, const hardware::DeviceSpec& device) {
    // Encoders and state spaces alone have frameworks of their own.
    if (!model.sequences || (model.experts == 0 && !model.no_serving.empty())) return nullptr;
    const auto stacks = usual_stacks();
    const auto found = std::ranges::find_if(stacks, [&](const UsualStack& each) {
        return each.device == device.name && each.experts == (model.experts > 0);
    });
    return found == stacks.end() ? nullptr : &*found;
}

}  // namespace dse::app
