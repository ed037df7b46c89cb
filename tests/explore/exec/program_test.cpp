#include "dse/explore/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/space/space_text.hpp"

namespace dse::explore {
namespace {

using space::Status;
using ::testing::HasSubstr;

/// \param script  of a shell; no single quotes
std::shared_ptr<const space::Space> with_script(const std::string& script, const std::string& more = "") {
    return space::parse_space("axes: {n: {from: 0, to: 9}}\nexec: {command: [sh, -c, '" + script +
                              "'], metrics: {area: mm2}" + more + "}\n");
}

space::Record ask(const Evaluate& program, double n) {
    space::Record record;
    record.status = Status::ok;
    record.point = {static_cast<std::uint64_t>(n), {n}};
    program(record.point, {}, record);
    return record;
}

bool never() {
    return false;
}

TEST(Program, IsOneProcessForManyPoints) {
    const Evaluate program = program_answers(
        with_script("i=0; while read x; do i=$((i+1)); echo \"{\\\"area\\\": $i}\"; done"), never);
    EXPECT_EQ(ask(program, 3).more.at(0), 1.0);
    EXPECT_EQ(ask(program, 4).more.at(0), 2.0);
}

TEST(Program, IsAProcessAPointWithArguments) {
    const Evaluate program = program_answers(
        with_script("echo thinking; echo \"{\\\"area\\\": {n}5}\"", ", input: arguments"), never);
    EXPECT_EQ(ask(program, 3).more.at(0), 35.0) << "the last line is the answer";
    EXPECT_EQ(ask(program, 4).more.at(0), 45.0);
}

TEST(Program, BeginsAnewAfterACrash) {
    const Evaluate program = program_answers(
        with_script("while read x; do case $x in *:3*) echo no threes >&2; kill -9 $$;; esac; "
                    "echo \"{\\\"area\\\": 1}\"; done"),
        never);
    EXPECT_EQ(ask(program, 2).status, Status::ok);
    const space::Record record = ask(program, 3);
    EXPECT_EQ(record.status, Status::failed);
    EXPECT_THAT(record.reason, HasSubstr("was ended by signal 9"));
    EXPECT_THAT(record.reason, HasSubstr("no threes"));
    EXPECT_EQ(ask(program, 4).status, Status::ok);
}

/// scancel and mpirun signal the processes of a job one after the other: the program's end may be seen first.
TEST(Program, ThatEndsWithItsJobIsNotAFailure) {
    const auto space = with_script("read x; kill -TERM $$");
    int asked = 0;
    const Evaluate ended = program_answers(space, [&] { return ++asked > 10; });
    EXPECT_THROW(ask(ended, 1), Stopped);
    const space::Record record = ask(program_answers(space, never), 1);
    EXPECT_EQ(record.status, Status::failed) << "somebody has ended the program alone";
    EXPECT_THAT(record.reason, HasSubstr("was ended by signal 15"));
}

TEST(Program, IsGivenUpAfterItsTime) {
    const Evaluate program = program_answers(with_script("sleep 50", ", time_limit: 50 ms"), never);
    const space::Record record = ask(program, 1);
    EXPECT_EQ(record.status, Status::timed_out);
    EXPECT_THAT(record.reason, HasSubstr("longer than 0.05 s"));
}

TEST(Program, SaysOneLineAPoint) {
    const Evaluate program =
        program_answers(with_script("while read x; do printf \"{\\\"area\\\": 1}\\n2\\n\"; done"), never);
    EXPECT_THAT(ask(program, 1).reason, HasSubstr("more than one line"));
}

TEST(Program, ThatEndsHasNoAnswer) {
    EXPECT_THAT(ask(program_answers(with_script("true"), never), 1).reason, HasSubstr("without an answer"));
    EXPECT_THAT(ask(program_answers(with_script("exit 7", ", input: arguments"), never), 1).reason,
                HasSubstr("ended with status 7"));
}

TEST(Program, IsEndedByAStop) {
    EXPECT_THROW(ask(program_answers(with_script("sleep 50"), [] { return true; }), 1), Stopped);
}

}  // namespace
}  // namespace dse::explore
