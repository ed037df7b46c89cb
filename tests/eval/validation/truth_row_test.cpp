#include "dse/eval/validation/truth_row.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::eval {
namespace {

class ReadTruthTest : public testing::Test {
  protected:
    [[nodiscard]] std::vector<TruthRow> read(const std::string& text) const {
        return read_truth(folder_.write("rows.csv", text));
    }

    test::TemporaryFolder folder_;
};

TEST_F(ReadTruthTest, ColumnsByNameInAnyOrder) {
    const auto rows = read(
        "value,seq,id,source,chip,metric,unheard_of,derived_iter_s,ffn_mats,sp\n"
        "137,2048,R1,\"a, b\",A100,mfu,x,3.5,2,1\n"
        "138,,R2,b,A100,mfu,x,,,\n");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].id, "R1");
    EXPECT_EQ(rows[0].source, "a, b");
    EXPECT_EQ(rows[0].value, 137.0);
    EXPECT_EQ(rows[0].sequence, 2048.0);
    EXPECT_EQ(rows[0].iteration_time, 3.5);
    EXPECT_EQ(rows[0].mlp_matrices, 2.0);
    EXPECT_EQ(rows[0].sequence_parallel, 1.0);
    EXPECT_EQ(rows[0].weight, 1.0) << "where the table has no weights";
    EXPECT_EQ(rows[0].line, 2);
    EXPECT_EQ(rows[1].line, 3);
    EXPECT_EQ(rows[1].sequence, std::nullopt);
    EXPECT_EQ(rows[1].tp, std::nullopt) << "a column that is not there";
}

TEST_F(ReadTruthTest, WhatIsNoNumberIsNotStated) {
    const auto rows = read(
        "id,source,chip,metric,value,heads,ffn,gpus,weight\n"
        "R,s,c,m,1e3,128/128,MLA,16x,0\n");
    EXPECT_EQ(rows[0].value, 1000.0);
    EXPECT_EQ(rows[0].heads, std::nullopt);
    EXPECT_EQ(rows[0].ffn, std::nullopt);
    EXPECT_EQ(rows[0].gpus, std::nullopt) << "with something behind it";
    EXPECT_EQ(rows[0].weight, 0.0);
}

TEST_F(ReadTruthTest, WhatIsNotFiniteIsNotStated) {
    const auto rows = read("id,source,chip,metric,value,heads,ffn\nR,s,c,m,nan,inf,1e999\n");
    EXPECT_EQ(rows[0].value, std::nullopt);
    EXPECT_EQ(rows[0].heads, std::nullopt);
    EXPECT_EQ(rows[0].ffn, std::nullopt);
}

TEST_F(ReadTruthTest, CountsThatAreNoneAreMisstated) {
    const auto why = [&](const std::string& column, const std::string& value) {
        return read("id,source,chip,metric,value," + column + "\nR,s,c,m,1," + value + "\n")[0].misstated;
    };
    EXPECT_EQ(why("gpus", "-8"), "gpus: '-8' is not a whole number above 0");
    EXPECT_EQ(why("layers", "24.5"), "layers: '24.5' is not a whole number above 0");
    for (const char* value : {"0", "16x", "nan", "1e999"}) EXPECT_NE(why("tp", value), "") << value;
    EXPECT_NE(why("kv_heads", "0.5"), "");
    EXPECT_EQ(why("kv_heads", "MLA"), "") << "of the model, which is found by its name";
    for (const char* value : {"", "8", "1e3"}) EXPECT_EQ(why("gpus", value), "") << value;
}

TEST_F(ReadTruthTest, RefusesWeightsThatAreNone) {
    for (const std::string weight : {"-1", "x", "nan", "1e300"}) {
        try {
            static_cast<void>(
                read("id,source,chip,metric,value,weight\nA,s,c,m,1,\nR,s,c,m,1," + weight + "\n"));
            FAIL() << weight;
        } catch (const InputError& error) {
            EXPECT_NE(
                std::string{error.what()}.find("rows.csv: row 2: weight '" + weight + "' is not a number"),
                std::string::npos)
                << error.what();
        }
    }
}

TEST_F(ReadTruthTest, ShortRecordsLackTheirLastFields) {
    const auto rows = read("id,source,chip,metric,value\nR,s\n");
    EXPECT_EQ(rows[0].source, "s");
    EXPECT_EQ(rows[0].value, std::nullopt);
}

TEST_F(ReadTruthTest, UnusableTables) {
    EXPECT_THROW(static_cast<void>(read("")), InputError);
    EXPECT_THROW(static_cast<void>(read_truth(folder_.path("none.csv"))), InputError);
    EXPECT_THROW(static_cast<void>(read_truth(folder_.path())), InputError);
    try {
        static_cast<void>(read("id,source,chip,metric\n"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string{error.what()}.find("rows.csv:1: has no column 'value'"), std::string::npos);
    }
}

}  // namespace
}  // namespace dse::eval
