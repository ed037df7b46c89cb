#include "dse/eval/validation/left_out.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse::eval {
namespace {

Comparison row(const std::string& id, const std::string& group) {
    Comparison comparison;
    comparison.row.id = id;
    comparison.row.group = group;
    return comparison;
}

class LeftOutTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::map<std::string, LeftOut> read(const std::string& text) const {
        return read_left_out(folder_.write("left_out.csv", text));
    }

    test::TemporaryFolder folder_;
};

TEST_F(LeftOutTest, RowsThatAConstantWasFittedToAreCalibrationRows) {
    std::vector<Comparison> rows{row("R1", "a"), row("R2", "a"), row("R3", "b"), row("R1", "another table's"),
                                 row("S7", "s")};
    mark_calibration(read("id,group,left_out,fitted,also\n"
                          "R1,a,-0.05,h100.in_training nodes.launch_factor,S7@s T1@t\nR2,a,0.02,,\n"),
                     rows);
    EXPECT_EQ(rows[0].constants, (std::vector<std::string>{"h100.in_training", "nodes.launch_factor"}));
    EXPECT_TRUE(rows[1].constants.empty());
    EXPECT_EQ(rows[4].constants, rows[0].constants) << "by another name";
    EXPECT_TRUE(rows[0].is_calibration);
    EXPECT_DOUBLE_EQ(rows[0].left_out, -0.05);
    EXPECT_FALSE(rows[1].is_calibration) << "depends on no constant that was fitted";
    EXPECT_TRUE(std::isnan(rows[1].left_out));
    EXPECT_FALSE(rows[2].is_calibration) << "is not in the table";
    EXPECT_FALSE(rows[3].is_calibration) << "another group's";
    EXPECT_TRUE(rows[4].is_calibration) << "by another name";
    EXPECT_DOUBLE_EQ(rows[4].left_out, -0.05);
}

TEST_F(LeftOutTest, SaysWhatATableLacks) {
    EXPECT_THROW(static_cast<void>(read("")), InputError);
    EXPECT_THROW(static_cast<void>(read("id,group,left_out,fitted\nR1,a,0,\n")), InputError);
    EXPECT_THROW(static_cast<void>(read("id,group,left_out,fitted,also\nR1,a,much,,\n")), InputError);
}

TEST_F(LeftOutTest, BothTablesCanBeChecked) {
    const auto check = [&](const std::string& text) { check_left_out(folder_.write("left_out.csv", text)); };
    EXPECT_NO_THROW(check("id,group,left_out,fitted,also\nR1,a,-0.05,,\n"));
    EXPECT_NO_THROW(check("quantity,group,weight,left_out\nprompts,gpt2,1,-0.0672\n"));
    EXPECT_THROW(check("quantity,group,weight,left_out\nprompts,gpt2,1,\n"), InputError);
    EXPECT_THROW(check("quantity,group,left_out\nprompts,gpt2,1\n"), InputError);
    EXPECT_THROW(check("id,group,left_out,fitted,also\nR1,a,much,,\n"), InputError);
    EXPECT_THROW(check(""), InputError);
}

TEST_F(LeftOutTest, TheShippedTableHasBothKinds) {
    const auto rows = read_left_out(std::string{DSE_SOURCE_DIR} + "/workloads/measured/left_out.csv");
    const auto fitted = std::count_if(rows.begin(), rows.end(),
                                      [](const auto& entry) { return entry.second.is_calibration; });
    EXPECT_GT(rows.size(), 900U);
    EXPECT_GT(fitted, 150);
    EXPECT_LT(static_cast<std::size_t>(fitted), rows.size());
}

}  // namespace
}  // namespace dse::eval
