#include "dse/config/record_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/config/reader.hpp"

namespace dse::config {
namespace {

using testing::HasSubstr;

struct Stop {
    std::string town;
    std::int64_t trains{1};
};

template <class Visitor>
void describe(Visitor& v, Stop& stop) {
    v.required("town", stop.town, "where");
    v.optional("trains", stop.trains, "an hour");
}

struct Line {
    std::vector<Stop> stops;
};

template <class Visitor>
void describe(Visitor& v, Line& line) {
    v.records("stops", line.stops, "in order");
}

/// The errors of a text, which is read into `line`.
std::string read(const std::string& text, Line& line) {
    Diagnostics diagnostics;
    const Node root = parse_yaml(text, "line.yaml", diagnostics);
    read_struct(root, line, nullptr, diagnostics);
    return diagnostics.text();
}

TEST(RecordTable, BlankFieldsAreNotGiven) {
    Line line;
    EXPECT_EQ(read("stops: |\n  town,trains\n  \"Bern, main station\",4\n  Thun,\n", line), "");
    ASSERT_EQ(line.stops.size(), 2U);
    EXPECT_EQ(line.stops[0].town, "Bern, main station");
    EXPECT_EQ(line.stops[0].trains, 4);
    EXPECT_EQ(line.stops[1].trains, 1);
}

TEST(RecordTable, ErrorsNameTheLine) {
    Line line;
    EXPECT_THAT(read("stops: |\n  town,trains\n  Bern,4\n  Thun,many\n", line),
                HasSubstr("line.yaml:4:1: error: stops.1.trains"));
    EXPECT_THAT(read("stops: |\n  town,trains\n  Bern\n", line),
                HasSubstr("line.yaml:3:1: error: stops.0: 1 fields under a heading of 2"));
    EXPECT_THAT(read("stops: |\n  twon\n  Bern\n", line), HasSubstr("did you mean 'town'?"));
    EXPECT_THAT(read("stops: |\n  town\n  \"Bern\n", line), HasSubstr("not comma-separated values"));
}

/// A word is not a table without rows.
TEST(RecordTable, HasAHeadingAndRows) {
    Line line;
    EXPECT_THAT(read("stops: Bern\n", line), HasSubstr("expected a list of at most 1000000, found 'Bern'"));
    EXPECT_EQ(read("stops: [{town: Bern}]\n", line), "") << "a list may also be written as one";
    EXPECT_EQ(line.stops.size(), 1U);
}

}  // namespace
}  // namespace dse::config
