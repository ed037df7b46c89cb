#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

OneLine image() {
    OneLine line;
    line.declare("x", {"b", "9", "9", "h"});
    return line;
}

/// (9 + 2 - 3) / 2 + 1 = 5 a side.
TEST(Pooling, LargestOfAWindowKeepsItsPlace) {
    OneLine line = image();
    const auto operation = line.read("y = max_pool(x, window=3, stride=2, padding=1)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 5, 5, 8}));
    EXPECT_EQ(line.tensor(operation->results[1].tensor).storage, Storage::index);
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y y.places") << "not x again";
}

TEST(Pooling, MeanIsOverAllPositions) {
    OneLine line = image();
    const auto operation = line.read("y = mean_pool(x)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 8}));
    EXPECT_EQ(operation->whole, "hw");
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y");
}

TEST(Pooling, RefusesAWindowThatIsTooLarge) {
    OneLine line = image();
    EXPECT_FALSE(line.read("y = max_pool(x, window=10)"));
    EXPECT_NE(line.errors().find("the window is larger than 'x'"), std::string::npos) << line.errors();
    EXPECT_FALSE(line.read("z = max_pool(x)"));
    EXPECT_NE(line.errors().find("needs the option 'window'"), std::string::npos) << line.errors();
}

}  // namespace
}  // namespace dse::frontend
