#include "app/flags/framework_flags.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/flags/flag_list.hpp"
#include "app/flags/server_flags.hpp"
#include "dse/base/error.hpp"

namespace dse::app {
namespace {

using graph::Precision;
using graph::ScheduleKind;
using Layout = graph::ParallelLayout;

std::int64_t microbatches(const study::Scenario& scenario) {
    const std::int64_t samples = data_parallel(scenario) * scenario.workload.layout.microbatch;
    return std::max<std::int64_t>(scenario.workload.global_batch / std::max<std::int64_t>(samples, 1), 1);
}

std::string_view schedule_name(ScheduleKind schedule) {
    return graph::choice_names(ScheduleKind{})[static_cast<std::size_t>(schedule)];
}

void lack_schedule(FlagList& flags, ScheduleKind schedule, const char* framework) {
    flags.lack(fmt::format("schedule {}: {} has no flag for it", schedule_name(schedule), framework));
}

void lack_adapter(FlagList& flags, const study::Scenario& scenario) {
    flags.lack_if(scenario.workload.adapter.on(),
                  "adapter: low-rank adapters are configured elsewhere (Megatron Bridge: cfg.peft)");
}

void add_megatron_states(FlagList& flags, const graph::SoftwareStack& stack) {
    flags.add_if(stack.zero == 1, "--use-distributed-optimizer");
    if (stack.zero >= 2) {
        flags.add("--use-megatron-fsdp");
        flags.add("--data-parallel-sharding-strategy {}",
                  stack.zero == 2 ? "optim_grads" : "optim_grads_params");
    }
    flags.add_if(stack.exposed_dp < 1.0, "--overlap-grad-reduce");
    flags.add_if(stack.exposed_dp < 1.0 && stack.zero >= 1, "--overlap-param-gather");
    flags.add_if(stack.exposed_tp < 1.0, "--tp-comm-overlap");
    if (stack.recompute == graph::Recompute::selective) flags.add("--recompute-granularity selective");
    if (stack.recompute == graph::Recompute::full) {
        flags.add("--recompute-granularity full");
        flags.add("--recompute-method {}", stack.recompute_layers > 0 ? "block" : "uniform");
        flags.add("--recompute-num-layers {}", std::max<std::int64_t>(stack.recompute_layers, 1));
    }
    flags.add_if(stack.precision == Precision::bf16, "--bf16");
    flags.add_if(stack.precision == Precision::fp16, "--fp16");
    if (stack.precision == Precision::fp8) {
        flags.add("--bf16");
        flags.add("--fp8-format hybrid");
    }
    flags.lack_if(stack.precision == Precision::fp4, "precision fp4: set it in Transformer Engine's recipe");
    if (has_wide_layers(stack)) {
        flags.add("--first-last-layers-bf16");
        flags.add("--num-layers-at-start-in-bf16 {}", stack.bf16_first_layers);
        flags.add("--num-layers-at-end-in-bf16 {}", stack.bf16_last_layers);
    }
}

/// Adds the flag for an end of the model (embedding or head) that counts as layers when these are distributed
/// over stages.
void add_megatron_ends(FlagList& flags, std::int64_t layers, const char* flag, const char* lack) {
    flags.add_if(layers == 1, flag);
    flags.lack_if(layers > 1, lack);
}

FrameworkFlags megatron(const study::Scenario& scenario) {
    const Layout& layout = scenario.workload.layout;
    FlagList flags;
    flags.add("--tensor-model-parallel-size {}", layout.tp);
    flags.add("--pipeline-model-parallel-size {}", layout.pp);
    flags.add("--context-parallel-size {}", layout.cp);
    if (layout.ep > 1) {
        flags.add("--expert-model-parallel-size {}", layout.ep);
        flags.add("--expert-tensor-parallel-size {}", layout.etp > 0 ? layout.etp : layout.tp);
    }
    flags.add("--micro-batch-size {}", layout.microbatch);
    flags.add("--global-batch-size {}", scenario.workload.global_batch);
    if (scenario.workload.sequence > 0) flags.add("--seq-length {}", scenario.workload.sequence);
    flags.add_if(layout.sequence_parallel && layout.tp > 1, "--sequence-parallel");
    if (layout.schedule == ScheduleKind::interleaved) {
        flags.add("--num-virtual-stages-per-pipeline-rank {}", layout.virtual_stages);
    } else if (layout.pp > 1 && layout.schedule != ScheduleKind::one_f_one_b) {
        lack_schedule(flags, layout.schedule, "Megatron-LM");
    }
    add_megatron_ends(flags, layout.embedding_layers, "--account-for-embedding-in-pipeline-split",
                      "embedding_layers above 1: Megatron-LM counts the embedding as one");
    add_megatron_ends(flags, layout.head_layers, "--account-for-loss-in-pipeline-split",
                      "head_layers above 1: Megatron-LM counts the loss as one");
    flags.lack_if(!scenario.workload.stage_layers.empty(),
                  "stage_layers: see --pipeline-model-parallel-layout");
    add_megatron_states(flags, scenario.workload.stack);
    flags.lack_if(layout.dp_shard > 0 && layout.dp_shard != data_parallel(scenario),
                  "dp_shard: see --num-distributed-optimizer-instances");
    lack_adapter(flags, scenario);
    return flags.take();
}

const char* torchtitan_schedule(ScheduleKind schedule) {
    switch (schedule) {
        case ScheduleKind::gpipe:
            return "GPipe";
        case ScheduleKind::one_f_one_b:
            return "1F1B";
        case ScheduleKind::interleaved:
            return "Interleaved1F1B";
        case ScheduleKind::zb_v:
            return "ZBVZeroBubble";
        case ScheduleKind::dualpipe:
            return "DualPipeV";
        case ScheduleKind::zb_h1:
            break;
    }
    return nullptr;
}

FrameworkFlags torchtitan(const study::Scenario& scenario) {
    const Layout& layout = scenario.workload.layout;
    const graph::SoftwareStack& stack = scenario.workload.stack;
    const std::int64_t dp = data_parallel(scenario);
    const std::int64_t sharded = stack.zero < 2 ? 1 : layout.dp_shard > 0 ? layout.dp_shard : dp;
    FlagList flags;
    flags.add("--parallelism.data_parallel_replicate_degree {}", dp / std::max<std::int64_t>(sharded, 1));
    flags.add("--parallelism.data_parallel_shard_degree {}", sharded);
    flags.add("--parallelism.tensor_parallel_degree {}", layout.tp);
    flags.add("--parallelism.context_parallel_degree {}", layout.cp);
    flags.add("--parallelism.pipeline_parallel_degree {}", layout.pp);
    if (layout.ep > 1) flags.add("--parallelism.expert_parallel_degree {}", layout.ep);
    if (layout.pp > 1) {
        if (const char* schedule = torchtitan_schedule(layout.schedule)) {
            flags.add("--parallelism.pipeline_parallel_schedule {}", schedule);
        } else {
            lack_schedule(flags, layout.schedule, "torchtitan");
        }
        flags.add("--parallelism.pipeline_parallel_microbatch_size {}", layout.microbatch);
    }
    // With a pipeline, the local batch consists of the microbatches; without one, it is a single microbatch.
    flags.add("--training.local_batch_size {}",
              layout.microbatch * (layout.pp > 1 ? microbatches(scenario) : 1));
    flags.add("--training.global_batch_size {}", scenario.workload.global_batch);
    if (scenario.workload.sequence > 0) flags.add("--training.seq_len {}", scenario.workload.sequence);
    flags.add("--activation_checkpoint.mode {}",
              graph::choice_names(graph::Recompute{})[static_cast<std::size_t>(stack.recompute)]);
    if (stack.zero >= 2)
        flags.add("--parallelism.fsdp_reshard_after_forward {}",
                  stack.zero == 3 && stack.reshard_after_forward ? "always" : "never");
    flags.lack_if(stack.zero == 1,
                  "ZeRO stage 1: torchtitan replicates the optimizer's states or shards everything");
    flags.lack_if(stack.precision == Precision::fp8,
                  "precision fp8: a converter of torchao (model.converters)");
    flags.lack_if(
        has_wide_layers(stack),
        "bf16_first_layers and bf16_last_layers: name their modules in the converter's filter_fqns");
    lack_adapter(flags, scenario);
    return flags.take();
}

FrameworkFlags maxtext(const study::Scenario& scenario) {
    const Layout& layout = scenario.workload.layout;
    const graph::SoftwareStack& stack = scenario.workload.stack;
    const std::int64_t dp = data_parallel(scenario);
    FlagList flags;
    flags.add("ici_fsdp_parallelism={}", stack.zero == 3 ? dp : 1);
    flags.add("ici_data_parallelism={}", stack.zero == 3 ? 1 : dp);
    flags.add("ici_tensor_parallelism={}", layout.tp);
    flags.add("ici_context_parallelism={}", layout.cp);
    flags.add("ici_pipeline_parallelism={}", layout.pp);
    if (layout.ep > 1) flags.add("ici_expert_parallelism={}", layout.ep);
    if (layout.pp > 1) {
        flags.add("num_pipeline_microbatches={}", microbatches(scenario));
        flags.add("num_pipeline_repeats={}", layout.virtual_stages);
        if (layout.schedule != ScheduleKind::gpipe && layout.schedule != ScheduleKind::interleaved)
            lack_schedule(flags, layout.schedule, "MaxText");
    }
    flags.add("per_device_batch_size={}", static_cast<double>(scenario.workload.global_batch) /
                                              static_cast<double>(scenario.system.devices));
    if (scenario.workload.sequence > 0) flags.add("max_target_length={}", scenario.workload.sequence);
    flags.add("remat_policy={}", stack.recompute == graph::Recompute::full ? "full" : "minimal");
    flags.lack_if(stack.recompute == graph::Recompute::none,
                  "recompute none: `minimal` keeps the most of MaxText's policies");
    flags.add("attention={}", stack.attention == graph::Attention::flash ? "flash" : "dot_product");
    flags.add("dtype={}", stack.precision == Precision::fp32 ? "float32" : "bfloat16");
    if (stack.precision == Precision::fp8) flags.add("quantization=fp8");
    flags.lack_if(stack.zero == 1 || stack.zero == 2,
                  "ZeRO stages 1 and 2: MaxText shards everything or nothing");
    flags.lack_if(has_wide_layers(stack),
                  "bf16_first_layers and bf16_last_layers: MaxText's quantization is that of all layers");
    flags.lack("ici_ or dcn_: which axes cross the network between slices is your choice");
    lack_adapter(flags, scenario);
    return flags.take();
}

}  // namespace

std::int64_t data_parallel(const study::Scenario& scenario) {
    const Layout& layout = scenario.workload.layout;
    return layout.dp > 0 ? layout.dp : scenario.system.devices / (layout.tp * layout.cp * layout.pp);
}

bool serves(Framework framework) {
    return framework == Framework::vllm || framework == Framework::sglang || framework == Framework::trtllm;
}

std::vector<FrameworkFlags> framework_flags(Framework framework, const study::Scenario& scenario) {
    if (scenario.workload.model.empty())
        throw InputError("--flags: the point runs a compiler's program, whose layout is fixed");
    const bool trains = scenario.workload.mode == graph::Mode::training;
    if (trains == serves(framework))
        throw InputError(trains ? "--flags: the point is about training (megatron, torchtitan or maxtext)"
                                : "--flags: the point is about inference (vllm, sglang or trtllm)");
    switch (framework) {
        case Framework::megatron:
            return {megatron(scenario)};
        case Framework::torchtitan:
            return {torchtitan(scenario)};
        case Framework::maxtext:
            return {maxtext(scenario)};
        case Framework::vllm:
        case Framework::sglang:
        case Framework::trtllm:
            break;
    }
    return server_flags(framework, scenario);
}

}  // namespace dse::app
