#include "app/row_reasons.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::app {
namespace {

struct Row {
    std::string why;
    [[nodiscard]] bool is_compared() const { return why.empty(); }
};

TEST(RowReasons, AreCountedAndTheMostFrequentComesFirst) {
    const std::vector<Row> rows{{""}, {"no chip"}, {"no model"}, {"no model"}};
    EXPECT_EQ(not_predicted_text(rows),
              "Of 4 rows, 3 are not predicted:\n"
              "     2  no model\n"
              "     1  no chip\n");
}

TEST(RowReasons, AreNotPrintedIfAllRowsArePredicted) {
    EXPECT_EQ(not_predicted_text(std::vector<Row>{{""}}), "");
    EXPECT_EQ(RowReasons{}.text(7, "set aside"), "");
}

TEST(RowReasons, OfManyKindsAreTheFiveMostFrequent) {
    RowReasons reasons;
    for (const char* each : {"a", "b", "c", "d", "e", "f", "f"}) reasons.add(each);
    EXPECT_EQ(reasons.text(7, "set aside"),
              "Of 7 rows, 7 are set aside, most often because (--rows has all reasons):\n"
              "     2  f\n     1  a\n     1  b\n     1  c\n     1  d\n");
}

}  // namespace
}  // namespace dse::app
