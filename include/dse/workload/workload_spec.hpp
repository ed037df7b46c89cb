#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dse/workload/parallel_layout.hpp"
#include "dse/workload/routing.hpp"
#include "dse/workload/training_stack.hpp"

namespace dse::workload {

enum class Mode : std::uint8_t { training };
std::span<const std::string_view> choice_names(Mode);

/// What is to be run, and how it is laid out: everything of a scenario that is not hardware.
struct WorkloadSpec {
    std::string model;  ///< name of a file of workloads/models
    Mode mode{Mode::training};
    std::int64_t global_batch{1};  ///< samples an iteration, all data-parallel ranks together
    std::int64_t sequence{0};      ///< tokens a sample; 0 where samples are no sequences
    ParallelLayout layout;
    Routing routing;    ///< of models with experts
    NamedStack preset;  ///< that `stack` began as
    TrainingStack stack;
};

/// Layout, routing and stack are no sections of their own: a sweep writes `tp`, not `layout.tp`.
template <class Visitor>
void describe(Visitor& v, WorkloadSpec& workload) {
    v.required("model", workload.model, "name of a file of workloads/models");
    v.optional("mode", workload.mode, "what is run");
    v.required("global_batch", workload.global_batch, "samples an iteration");
    v.optional("sequence", workload.sequence, "tokens a sample, where it is a sequence");
    describe(v, workload.layout);
    describe(v, workload.routing);
    v.preset("stack", workload.preset, "workloads/stacks",
             "software stack whose facts hold where none are stated",
             [&workload] { workload.stack = workload.preset.values; });
    describe(v, workload.stack);
}

}  // namespace dse::workload
