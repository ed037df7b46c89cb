#include "dse/space/space_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/space/sampler.hpp"

namespace dse::space {
namespace {

TEST(ParseSpace, ReadsAxesWithoutFields) {
    const auto space = parse_space("name: small\naxes: {x: [1, 2, 4], kind: [a, b]}\nderive: {y: 2 * x}\n");
    EXPECT_EQ(space->name(), "small");
    EXPECT_EQ(*space->grid_size().exact, 6U);
    Point point;
    ASSERT_TRUE(make_sampler(space)->point(5, point));
    EXPECT_THAT(point.values, ::testing::ElementsAre(4.0, 1.0, 8.0));
}

TEST(ParseSpace, SaysWhatIsWrongAndWhere) {
    const auto error_of = [](const std::string& yaml) -> std::string {
        try {
            static_cast<void>(parse_space(yaml, "mine"));
        } catch (const InputError& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_THAT(error_of("name: s\naxes: {x: [1]}\nrequire: [z > 1]\n"),
                ::testing::AllOf(::testing::HasSubstr("mine:3"), ::testing::HasSubstr("z")));
    EXPECT_THAT(error_of("axes: {x: [}\n"), ::testing::HasSubstr("mine:1"));
}

}  // namespace
}  // namespace dse::space
