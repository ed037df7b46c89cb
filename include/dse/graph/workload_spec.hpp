#pragma once

#include <cstdint>
#include <string>

#include "dse/config/described_once.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/adapter.hpp"
#include "dse/graph/compiler_passes.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/routing.hpp"
#include "dse/graph/service_levels.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/graph/traffic.hpp"

namespace dse::graph {

/// What runs and how it is distributed: everything in a scenario except the hardware.
struct WorkloadSpec {
    std::string model;  ///< name of a file of workloads/models; empty if the workload is not a model
    /// File of a compiler's program (StableHLO, HLO, FX); empty if the workload is not a program. A program
    /// is a whole iteration: mode, layout, routing, serving and most of the stack do not apply to it.
    std::string ir;
    /// File of a family of workloads from which one is drawn (dse synth fit); empty if the workload is not
    /// synthetic. Like a program it is a whole iteration with a fixed layout.
    std::string synthetic;
    std::int64_t seed{0};       ///< for drawing from the family
    std::string foreign_costs;  ///< file with the costs of a program's foreign calls; empty: built-in rules
    CompilerPasses passes;      ///< for programs
    Mode mode{Mode::training};
    std::int64_t global_batch{1};  ///< samples per iteration, all data-parallel ranks together
    std::int64_t sequence{0};      ///< tokens per sample or prompt; 0 if samples are not sequences
    ParallelLayout layout;
    Routing routing;       ///< for models with experts
    Serving serving;       ///< for inference
    Traffic traffic;       ///< for mode serving
    ServingEngine engine;  ///< for mode serving
    ServiceLevels levels;  ///< for mode serving
    NamedStack preset;     ///< initial values of `stack` and `engine`
    SoftwareStack stack;
    Adapter adapter;  ///< for fine-tuning
    /// Names of the tensors that selective recomputation drops, separated by blanks; empty: the template's
    /// list.
    std::string recompute_tensors;
    /// Number of layers in each piece of the pipeline, in model order: "7 8*14 7"; empty: as equal as
    /// possible.
    std::string stage_layers;
};

/// Layout, routing and stack have no sections of their own: a sweep writes `tp`, not `layout.tp`.
template <class Visitor>
void describe(Visitor& v, WorkloadSpec& workload) {
    v.optional("model", workload.model, "name of a file of workloads/models");
    v.optional("ir", workload.ir, "instead of a model: file of a compiler's program (StableHLO, HLO, FX)");
    v.optional("synthetic", workload.synthetic,
               "instead of a model: file of a family of workloads from which one is drawn");
    v.optional("seed", workload.seed, config::not_negative, "synthetic: seed of the draw");
    v.optional("foreign_costs", workload.foreign_costs, "ir: file with the costs of foreign calls");
    v.optional_section("passes", workload.passes, "ir: transformations of the program");
    v.optional("mode", workload.mode, "what is simulated");
    v.optional("global_batch", workload.global_batch, config::at_least(1),
               "samples per iteration, or sequences processed at once");
    v.optional("sequence", workload.sequence, config::not_negative, "tokens per sample or prompt");
    describe(v, workload.layout);
    describe(v, workload.routing);
    describe(v, workload.serving);
    v.optional_section("traffic", workload.traffic, "serving: the requests");
    v.optional_section("slo", workload.levels, "serving: upper limits on latencies");
    v.preset("stack", workload.preset, "workloads/stacks",
             "software stack from which all unset fields are taken", [&workload] {
                 workload.stack = workload.preset.values;
                 workload.engine = workload.preset.engine;
             });
    describe(v, workload.stack);
    v.optional_section("serving", workload.engine, "serving: the engine that answers them");
    v.optional_section("adapter", workload.adapter, "fine-tuning: low-rank adapters beside frozen weights");
    v.optional("recompute_tensors", workload.recompute_tensors,
               "tensors that selective recomputation drops, separated by blanks; by default the template's");
    v.optional("stage_layers", workload.stage_layers,
               "layers in each piece of the pipeline, such as \"7 8*14 7\"; by default equal shares");
}
DSE_DESCRIBED_ONCE(WorkloadSpec);

/// Whether the layout of a workload is fixed: a compiler's program or a synthetic workload.
inline bool is_laid_out(const WorkloadSpec& workload) {
    return !workload.ir.empty() || !workload.synthetic.empty();
}

/// Number of steps of a pipelined decode loop that are measured, after as many steps to reach the steady
/// state: the time per step is the difference of two simulations divided by this number. A power of two, so
/// that the division is exact.
inline constexpr std::uint32_t decode_steps = 4;

/// The layout of a workload on this number of devices. In inference a replica's batch passes through the
/// pipeline in `pipeline_batches` equal parts, regardless of `microbatch`.
/// \throws ModelError like the other resolve(), and if inference does not support the layout
ResolvedLayout resolve(const WorkloadSpec& workload, std::int64_t devices);

}  // namespace dse::graph
