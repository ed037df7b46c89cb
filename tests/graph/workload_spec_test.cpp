// Also tests: described.cpp
#include "dse/graph/workload_spec.hpp"

#include "dse/base/error.hpp"
#include "support/yaml.hpp"

namespace dse::graph {
namespace {

TEST(WorkloadSpec, LayoutAndStackAreNoSectionsOfTheirOwn) {
    WorkloadSpec spec;
    EXPECT_EQ(dse::test::read_errors("model: llama3_8b\nglobal_batch: 64\nsequence: 8192\ntp: 4\nzero: 3\n"
                                     "schedule: gpipe\nrecompute: selective\n",
                                     spec),
              "");
    EXPECT_EQ(spec.model, "llama3_8b");
    EXPECT_EQ(spec.global_batch, 64);
    EXPECT_EQ(spec.layout.tp, 4);
    EXPECT_EQ(spec.stack.zero, 3);
    EXPECT_EQ(spec.layout.schedule, ScheduleKind::gpipe);
    EXPECT_EQ(spec.stack.recompute, Recompute::selective);
    EXPECT_EQ(spec.mode, Mode::training);
}

TEST(WorkloadSpec, HandsItsQueuesToTheLayout) {
    WorkloadSpec spec;
    EXPECT_EQ(
        dse::test::read_errors("model: llama3_8b\nglobal_batch: 8\nsequence: 8192\nqueues: one\n", spec), "");
    EXPECT_EQ(resolve(spec, 8).queues, Queues::one);
    spec.mode = Mode::prefill;
    EXPECT_EQ(resolve(spec, 8).queues, Queues::one);
    spec.stack.queues = Queues::communicator;
    EXPECT_EQ(resolve(spec, 8).queues, Queues::communicator);
}

// Whether a model and its batch, or a program, are there is the whole sweep's question (eval).
TEST(WorkloadSpec, RefusesUnknownKeysAndValues) {
    WorkloadSpec spec;
    const std::string errors = dse::test::read_errors("tpp: 4\nschedule: 1f2b\n", spec);
    for (const char* part : {"tpp", "did you mean 'tp'", "1f1b"})
        EXPECT_NE(errors.find(part), std::string::npos) << part << "\n" << errors;
}

TEST(WorkloadSpec, ModesHaveTheNamesThatSweepsWrite) {
    EXPECT_EQ(choice_names(Mode{}).front(), "training");
}

std::string refusal(const WorkloadSpec& spec, std::int64_t devices) {
    try {
        static_cast<void>(resolve(spec, devices));
        return "";
    } catch (const ModelError& error) {
        return error.what();
    }
}

TEST(ResolvedWorkload, TrainsByItsMicrobatch) {
    WorkloadSpec spec;
    spec.global_batch = 32;
    spec.layout.pp = 2;
    spec.layout.microbatch = 4;
    const ResolvedLayout layout = resolve(spec, 4);
    EXPECT_EQ(layout.microbatch, 4);
    EXPECT_EQ(layout.microbatches, 4U) << "32 sequences on dp 2";
    EXPECT_EQ(layout.steps, 1U);
}

/// 32 sequences on dp 2: each replica's 16 in as many parts as it has stages, whatever `microbatch` says.
TEST(ResolvedWorkload, ServesAPartAStage) {
    WorkloadSpec spec;
    spec.mode = Mode::decode;
    spec.global_batch = 32;
    spec.layout.pp = 4;
    spec.layout.microbatch = 3;
    const ResolvedLayout layout = resolve(spec, 8);
    EXPECT_EQ(layout.microbatches, 4U);
    EXPECT_EQ(layout.microbatch, 4);
    EXPECT_EQ(layout.chunks, 1U);
    EXPECT_EQ(layout.steps, 2 * decode_steps) << "played until it is steady, and as long again";
    spec.mode = Mode::prefill;
    EXPECT_EQ(resolve(spec, 8).steps, 1U);
    spec.serving.pipeline_batches = 2;
    EXPECT_EQ(resolve(spec, 8).microbatch, 8);
    spec.serving.pipeline_batches = 0;
    spec.global_batch = 2;
    EXPECT_EQ(resolve(spec, 8).microbatches, 1U) << "one sequence a replica fills no pipeline";
}

TEST(ResolvedWorkload, RefusesWhatInferenceHasNot) {
    WorkloadSpec spec;
    spec.mode = Mode::decode;
    spec.global_batch = 6;
    spec.layout.pp = 4;
    EXPECT_EQ(refusal(spec, 4), "a replica's batch of 6 is not divisible into 4 parts for the pipeline");
    spec.layout.pp = 1;
    spec.layout.virtual_stages = 2;
    EXPECT_EQ(refusal(spec, 1), "virtual_stages 2 with mode decode: a forward pass has one chunk per stage");
    spec.layout.virtual_stages = 1;
    spec.layout.cp = 2;
    EXPECT_EQ(refusal(spec, 2),
              "cp 2 with mode decode: caches are not split along the context (use tp, or dp)");
    spec.mode = Mode::prefill;
    EXPECT_EQ(refusal(spec, 2), "");
    spec.serving.kv_block = 0;
    EXPECT_NE(refusal(spec, 2).find("kv_block: 0 is out of range"), std::string::npos);
}

}  // namespace
}  // namespace dse::graph
