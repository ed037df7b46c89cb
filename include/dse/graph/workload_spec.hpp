#pragma once

#include <cstdint>
#include <string>

#include "dse/config/range.hpp"
#include "dse/graph/compiler_passes.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/routing.hpp"
#include "dse/graph/service_levels.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/graph/traffic.hpp"

namespace dse::graph {

/// What is to be run, and how it is laid out: everything of a scenario that is not hardware.
struct WorkloadSpec {
    std::string model;  ///< name of a file of workloads/models; empty where the workload is a program
    /// File of a compiler's program (StableHLO, HLO, FX); empty where the workload is a model. A program is a
    /// whole iteration: mode, layout, routing, serving and most of the stack are none of its business.
    std::string ir;
    /// File of a family of workloads of which one is drawn (dse synth fit); empty where the workload is none.
    /// As a program it is a whole iteration, laid out already.
    std::string synthetic;
    std::int64_t seed{0};       ///< of the one that is drawn
    std::string foreign_costs;  ///< file of what its foreign calls take; empty: built-in rules alone
    CompilerPasses passes;      ///< of a program
    Mode mode{Mode::training};
    std::int64_t global_batch{1};  ///< samples an iteration, all data-parallel ranks together
    std::int64_t sequence{0};      ///< tokens a sample, or a prompt; 0 where samples are no sequences
    ParallelLayout layout;
    Routing routing;       ///< of models with experts
    Serving serving;       ///< of inference
    Traffic traffic;       ///< of mode serving
    ServingEngine engine;  ///< of mode serving
    ServiceLevels levels;  ///< of mode serving
    NamedStack preset;     ///< that `stack` began as
    SoftwareStack stack;
    /// Names of the tensors that selective recomputation drops, separated by blanks; empty: the template's
    /// list.
    std::string recompute_tensors;
    /// Layers of every piece of the pipeline, in the model's order: "7 8*14 7"; empty: as equal as possible.
    std::string stage_layers;
};

/// Layout, routing and stack are no sections of their own: a sweep writes `tp`, not `layout.tp`.
template <class Visitor>
void describe(Visitor& v, WorkloadSpec& workload) {
    v.optional("model", workload.model, "name of a file of workloads/models");
    v.optional("ir", workload.ir, "in its place: file of a compiler's program (StableHLO, HLO, FX)");
    v.optional("synthetic", workload.synthetic,
               "in its place: file of a family of workloads, of which one is drawn");
    v.optional("seed", workload.seed, config::not_negative, "of the workload that is drawn");
    v.optional("foreign_costs", workload.foreign_costs, "file of what foreign calls of such a program take");
    v.optional_section("passes", workload.passes, "what is done to such a program");
    v.optional("mode", workload.mode, "what is run");
    v.optional("global_batch", workload.global_batch, config::at_least(1),
               "samples an iteration, or sequences served at once");
    v.optional("sequence", workload.sequence, config::not_negative,
               "tokens a sample, where it is a sequence, or a prompt");
    describe(v, workload.layout);
    describe(v, workload.routing);
    describe(v, workload.serving);
    v.optional_section("traffic", workload.traffic, "serving: the requests");
    v.optional_section("serving", workload.engine, "serving: the engine that answers them");
    v.optional_section("slo", workload.levels, "serving: latencies that are promised");
    v.preset("stack", workload.preset, "workloads/stacks",
             "software stack whose facts hold where none are stated",
             [&workload] { workload.stack = workload.preset.values; });
    describe(v, workload.stack);
    v.optional("recompute_tensors", workload.recompute_tensors,
               "tensors that selective recomputation drops, with blanks between; by default the template's");
    v.optional("stage_layers", workload.stage_layers,
               "layers of each piece of the pipeline, as \"7 8*14 7\"; by default equal shares");
}

/// Whether a workload is laid out already: a compiler's program, or one that is drawn.
inline bool is_laid_out(const WorkloadSpec& workload) {
    return !workload.ir.empty() || !workload.synthetic.empty();
}

/// Steps of a decode loop through a pipeline that are played: as many again before the loop is steady, so
/// that a step is the difference of the two over the number of steps. A power of two, so that shares are
/// exact.
inline constexpr std::uint32_t decode_steps = 4;

/// The layout of a workload on so many devices. In inference a replica's batch goes through the pipeline in
/// `pipeline_batches` equal parts, whatever `microbatch` says.
/// \throws ModelError as the other resolve(), and where inference has no such layout
ResolvedLayout resolve(const WorkloadSpec& workload, std::int64_t devices);

}  // namespace dse::graph
