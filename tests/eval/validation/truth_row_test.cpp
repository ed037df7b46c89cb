#include "dse/eval/validation/truth_row.hpp"

#include <algorithm>

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
    [[nodiscard]] std::string error_of(const std::string& text) const {
        try {
            static_cast<void>(read(text));
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
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
    EXPECT_EQ(rows[0].number, 1);
    EXPECT_EQ(rows[1].number, 2);
    EXPECT_EQ(rows[1].sequence, std::nullopt);
    EXPECT_EQ(rows[1].tp, std::nullopt) << "a column that is not there";
}

TEST_F(ReadTruthTest, ColumnsWhateverTheirCase) {
    const auto rows = read("ID,Source,CHIP,Metric,Value\nR,s,c,m,1\n");
    EXPECT_EQ(rows.at(0).id, "R");
    EXPECT_EQ(rows.at(0).value, 1.0);
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

TEST_F(ReadTruthTest, RefusesWhatIsNotFinite) {
    const std::string text = error_of(
        "id,source,chip,metric,value,heads,ffn\nR,s,c,m,nan,inf,1e999\nS,s,c,m,1,1,1\nT,s,c,m,NaN,1,-inf\n");
    EXPECT_NE(text.find("rows.csv: row 1 (R): value is 'nan', which is not a finite number (leave the field "
                        "empty if it is not stated)"),
              std::string::npos)
        << text;
    for (const char* part : {"row 1 (R): heads is 'inf'", "row 1 (R): ffn is '1e999'",
                             "row 3 (T): value is 'NaN'", "row 3 (T): ffn is '-inf'"})
        EXPECT_NE(text.find(part), std::string::npos) << part << ": " << text;
    EXPECT_EQ(text.find("(S)"), std::string::npos) << text;
}

TEST_F(ReadTruthTest, RefusesIdsOfOtherRows) {
    const std::string text =
        error_of("id,source,chip,metric,value\nA,s,c,m,1\nB,s,c,m,1\nA,s,c,m,2\n,s,c,m,1\n");
    EXPECT_NE(text.find("rows.csv: row 3 (A): its id is also that of row 1"), std::string::npos) << text;
    EXPECT_NE(text.find("rows.csv: row 4: has no id"), std::string::npos) << text;
}

TEST_F(ReadTruthTest, ListsTheFirstOfManyErrors) {
    std::string rows = "id,source,chip,metric,value\n";
    for (int i = 0; i < 100; ++i) rows += "A,s,c,m,1\n";
    const std::string text = error_of(rows);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 20) << text;
    EXPECT_NE(text.find("and 79 more"), std::string::npos) << text;
}

TEST_F(ReadTruthTest, RefusesRowsThatAreLongerThanTheirHeader) {
    EXPECT_NE(error_of("id,source,chip,metric,value\nA,Smith, 2024,c,m,1\n")
                  .find("row 1 (A): has 6 fields under 5 columns (text with a comma needs quotes)"),
              std::string::npos);
}

TEST_F(ReadTruthTest, ValuesThatAreNoneAreMisstated) {
    const auto why = [&](const std::string& value, const std::string& derived = "") {
        return read("id,source,chip,metric,value,derived_iter_s\nR,s,c,m," + value + "," + derived + "\n")[0]
            .misstated;
    };
    EXPECT_EQ(why("1.5 s"), "value: '1.5 s' is not a number above 0");
    EXPECT_EQ(why("-2"), "value: '-2' is not a number above 0");
    EXPECT_EQ(why("1.5", "0"), "derived_iter_s: '0' is not a number above 0");
    EXPECT_EQ(why("about 1", "1.5"), "") << "not what the time is read from";
    EXPECT_EQ(why("-7", "1.5"), "value: '-7' is not a number above 0") << "no measurement is negative";
    EXPECT_EQ(why(""), "") << "of a cell that only ran";
}

TEST_F(ReadTruthTest, UnitsOfOtherMetricsAreMisstated) {
    const auto why = [&](const std::string& metric, const std::string& unit, const char* derived = "") {
        return read("id,source,chip,value,metric,unit,derived_iter_s\nR,s,c,0.5," + metric + "," + unit +
                    "," + derived + "\n")[0]
            .misstated;
    };
    EXPECT_EQ(why("tokens_per_s", "ktokens/s"),
              "tokens_per_s in the unit 'ktokens/s' (expected tokens/s; column unit)");
    EXPECT_EQ(why("tokens_per_s", "ktokens/s", "1.5"), "") << "not what the time is read from";
}

TEST_F(ReadTruthTest, RolesAreTwo) {
    const auto error = [&](const std::string& role) {
        return error_of("id,source,chip,metric,value,role\nR,s,c,m,1," + role + "\n");
    };
    for (const char* right : {"", "calibration", "validation"}) EXPECT_EQ(error(right), "accepted") << right;
    EXPECT_NE(error("valdation")
                  .find("row 1 (R): role 'valdation' is neither calibration nor validation (did you mean "
                        "'validation'?)"),
              std::string::npos)
        << error("valdation");
}

TEST_F(ReadTruthTest, DegreesMakeUpTheDevices) {
    const auto why = [&](const std::string& degrees) {
        return read("id,source,chip,metric,value,gpus,dp,tp,pp\nR,s,c,m,1," + degrees + "\n")[0].misstated;
    };
    EXPECT_EQ(why("128,4,8,2"), "dp 4 · tp 8 · pp 2 · cp 1 = 64, not 128 gpus");
    for (const char* right : {"64,4,8,2", "64,,8,2", ",4,8,2", "4,4,,"}) EXPECT_EQ(why(right), "") << right;
}

TEST_F(ReadTruthTest, SequenceParallelismIsANumberOrAWord) {
    const auto row = [&](const std::string& value) {
        return read("id,source,chip,metric,value,sp\nR,s,c,m,1," + value + "\n")[0];
    };
    for (const char* on : {"1", "True", "yes", "on"}) EXPECT_EQ(row(on).sequence_parallel, 1.0) << on;
    for (const char* off : {"0", "FALSE", "no", "off"}) EXPECT_EQ(row(off).sequence_parallel, 0.0) << off;
    EXPECT_EQ(row("").sequence_parallel, std::nullopt);
    for (const char* other : {"maybe", "8"})
        EXPECT_EQ(row(other).misstated, std::string{"sp: '"} + other + "' is not 0 or 1");
}

TEST_F(ReadTruthTest, CountsThatAreNoneAreMisstated) {
    const auto why = [&](const std::string& column, const std::string& value) {
        return read("id,source,chip,metric,value," + column + "\nR,s,c,m,1," + value + "\n")[0].misstated;
    };
    EXPECT_EQ(why("gpus", "-8"), "gpus: '-8' is not a whole number above 0");
    EXPECT_EQ(why("layers", "24.5"), "layers: '24.5' is not a whole number above 0");
    for (const char* value : {"0", "16x"}) EXPECT_NE(why("tp", value), "") << value;
    EXPECT_NE(why("kv_heads", "0.5"), "");
    for (const char* seq : {"\"8,192\"", "8k", "8 192"}) EXPECT_NE(why("seq", seq), "") << seq;
    EXPECT_EQ(why("seq", "128/2048"), "") << "of a prompt and its answer";
    EXPECT_EQ(why("kv_heads", "MLA"), "") << "of the model, which is found by its name";
    for (const char* value : {"", "8", "1e3", "8.0"}) EXPECT_EQ(why("gpus", value), "") << value;
    for (const char* value : {"-", "None", "n/a"})
        EXPECT_EQ(why("vpp", value), "") << "not stated: " << value;
}

TEST_F(ReadTruthTest, RefusesWeightsThatAreNone) {
    for (const std::string weight : {"-1", "x", "1e300"}) {
        try {
            static_cast<void>(
                read("id,source,chip,metric,value,weight\nA,s,c,m,1,\nR,s,c,m,1," + weight + "\n"));
            FAIL() << weight;
        } catch (const InputError& error) {
            EXPECT_NE(std::string{error.what()}.find("rows.csv: row 2 (R): weight '" + weight +
                                                     "' is not a number"),
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
    EXPECT_NE(error_of("id\tsource\tchip\n").find("columns are separated by tabs, not by commas"),
              std::string::npos);
    EXPECT_NE(error_of("id;source;chip\n").find("columns are separated by semicolons"), std::string::npos);
    EXPECT_NE(error_of("id,source,chip,metric,value\n").find("has no rows below its header"),
              std::string::npos);
    EXPECT_NE(
        error_of("id,source,chips,metric,value\n,,,,\n").find("has no column 'chip' (is that 'chips'?)"),
        std::string::npos);
    const std::string two = error_of("id,source,chip,id\n,,,\n");
    for (const char* part : {"has no column 'metric'", "has no column 'value'", "has two columns 'id'"})
        EXPECT_NE(two.find(part), std::string::npos) << part << ": " << two;
    EXPECT_THROW(static_cast<void>(read_truth(folder_.path("none.csv"))), InputError);
    EXPECT_THROW(static_cast<void>(read_truth(folder_.path())), InputError);
    try {
        static_cast<void>(read("id,source,chip,metric\nA,s,c,m\n"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string{error.what()}.find("rows.csv:1: has no column 'value'"), std::string::npos);
    }
}

}  // namespace
}  // namespace dse::eval
