#include "dse/frontend/program_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::frontend {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class ProgramFiles : public ::testing::Test {
  protected:
    ProgramFiles() {
        folder_.write("workloads/captures/jax/step_tp8.hlo.gz", "");
        folder_.write("workloads/captures/jax/step_tp8.json", "{}");
        folder_.write("workloads/captures/own.fx", "");
    }
    test::TemporaryFolder folder_;
    config::Library library() const { return config::Library{{folder_.path()}}; }
};

TEST_F(ProgramFiles, AreNamedByTheirPathsBelowTheCaptures) {
    EXPECT_THAT(program_names(library()), ElementsAre("jax/step_tp8.hlo.gz", "own.fx"));
    EXPECT_TRUE(program_names(config::Library{{}}).empty());
}

TEST_F(ProgramFiles, AreFoundByNameByPathFromARootAndByPath) {
    const std::string file = program_file(library(), "jax/step_tp8.hlo.gz");
    EXPECT_THAT(file, EndsWith("workloads/captures/jax/step_tp8.hlo.gz"));
    EXPECT_EQ(program_file(library(), "workloads/captures/jax/step_tp8.hlo.gz"), file);
    EXPECT_EQ(program_file(config::Library{{}}, file), file);
}

TEST_F(ProgramFiles, StandBesideTheSweepFirst) {
    const test::TemporaryFolder sweep;
    const std::string file = sweep.write("jax/step_tp8.hlo.gz", "");
    EXPECT_EQ(program_file(library(), "jax/step_tp8.hlo.gz", sweep.path()), file);
    EXPECT_EQ(program_file(library(), "own.fx", sweep.path()), program_file(library(), "own.fx"));
    EXPECT_THAT(test::error_message<InputError>([&] { program_file(library(), "no.hlo", sweep.path()); }),
                HasSubstr("there is no file 'no.hlo' (looked for beside the sweep, from here, "));
}

TEST_F(ProgramFiles, SayWhichOneMayHaveBeenMeant) {
    const auto message = [this](const char* name) {
        return test::error_message<InputError>([&] { program_file(library(), name); });
    };
    EXPECT_THAT(message("step_tp8.hlo.gz"), HasSubstr("did you mean 'jax/step_tp8.hlo.gz'?"));
    EXPECT_THAT(message("torch/step_tp9.hlo.gz"), HasSubstr("did you mean 'jax/step_tp8.hlo.gz'?"));
    EXPECT_THAT(message("jax/step_tp8"), HasSubstr("did you mean 'jax/step_tp8.hlo.gz'?"));
    EXPECT_THAT(message("something_else.mlir"), HasSubstr("`dse list programs`"));
}

TEST_F(ProgramFiles, WhatLiesBesideTheSweepMayHaveBeenMeant) {
    const test::TemporaryFolder sweep;
    sweep.write("dumps/mymodel.sdy.mlir", "");
    EXPECT_THAT(test::error_message<InputError>(
                    [&] { program_file(library(), "dumps/mymodle.sdy.mlir", sweep.path()); }),
                HasSubstr("did you mean 'dumps/mymodel.sdy.mlir'?"));
}

TEST_F(ProgramFiles, FamiliesStandBelowAFolderOfTheirOwn) {
    folder_.write("workloads/families/llm.model", "");
    folder_.write("workloads/families/make_llm.py", "");
    EXPECT_THAT(family_names(library()), ElementsAre("llm.model"));
    EXPECT_THAT(family_file(library(), "llm.model"), EndsWith("workloads/families/llm.model"));
    EXPECT_THAT(test::error_message<InputError>([this] { family_file(library(), "lmm.model"); }),
                HasSubstr("did you mean 'llm.model'?"));
}

}  // namespace
}  // namespace dse::frontend
