#include "dse/serving/request_queue.hpp"

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

TEST(RequestQueue, ForgetsWhoIsAnswered) {
    RequestQueue queue;
    for (std::int32_t i = 0; i < 4; ++i) queue.push({i, 10 + i, 1}, 100 + static_cast<std::size_t>(i));
    Request& last = queue.request(3);
    queue.answered(1);
    EXPECT_EQ(queue.held(), 4U) << "the first is not";
    queue.answered(0);
    EXPECT_EQ(queue.held(), 2U);
    EXPECT_EQ(queue.size(), 4U);
    EXPECT_EQ(queue.request(2).prompt, 12);
    EXPECT_EQ(queue.place(3), 103U);
    queue.answered(2);
    queue.push({4, 14, 1}, 104);
    EXPECT_EQ(&queue.request(3), &last) << "stays where it is";
    EXPECT_EQ(queue.size(), 5U);
}

}  // namespace
}  // namespace dse::serving
