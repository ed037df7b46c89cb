#include "dse/workload/workload_spec.hpp"

#include "support/yaml.hpp"

namespace dse::workload {
namespace {

TEST(WorkloadSpec, LayoutAndStackAreNoSectionsOfTheirOwn) {
    WorkloadSpec spec;
    EXPECT_EQ(test::read_errors("model: llama3_8b\nglobal_batch: 64\nsequence: 8192\ntp: 4\nzero: 3\n"
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

TEST(WorkloadSpec, NeedsAModelABatchAndASequence) {
    WorkloadSpec spec;
    const std::string errors = test::read_errors("tpp: 4\nschedule: 1f2b\n", spec);
    for (const char* part : {"model", "global_batch", "sequence", "tpp", "did you mean 'tp'", "1f1b"})
        EXPECT_NE(errors.find(part), std::string::npos) << part << "\n" << errors;
}

TEST(WorkloadSpec, ModesHaveTheNamesThatSweepsWrite) {
    EXPECT_EQ(choice_names(Mode{}).front(), "training");
}

}  // namespace
}  // namespace dse::workload
