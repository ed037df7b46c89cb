#include "dse/dist/local_channel.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace dse::dist {
namespace {

Message numbered(std::uint64_t number) {
    Message message;
    message.range.first = number;
    return message;
}

TEST(LocalChannel, DeliversInOrderAndNamesTheSender) {
    LocalNetwork network{3};
    const auto zero = network.channel(0);
    const auto two = network.channel(2);
    EXPECT_EQ(two->rank(), 2);
    EXPECT_EQ(two->size(), 3);
    EXPECT_FALSE(zero->try_receive());
    two->send(0, numbered(1));
    two->send(0, numbered(2));
    const auto first = zero->try_receive();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->sender, 2);
    EXPECT_EQ(first->range.first, 1U);
    EXPECT_EQ(zero->try_receive()->range.first, 2U);
    EXPECT_FALSE(zero->try_receive());
    EXPECT_FALSE(network.channel(1)->try_receive());
}

TEST(LocalChannel, CarriesBodies) {
    LocalNetwork network{2};
    Message message;
    message.body = std::string(100'000, 'y');
    network.channel(1)->send(0, message);
    EXPECT_EQ(network.channel(0)->try_receive()->body, message.body);
}

TEST(LocalChannel, KeepsTheOrderOfEverySenderBetweenThreads) {
    constexpr std::uint64_t count = 2000;
    LocalNetwork network{4};
    std::vector<std::jthread> senders;
    for (int rank = 1; rank < 4; ++rank) {
        senders.emplace_back([&network, rank] {
            const auto channel = network.channel(rank);
            for (std::uint64_t i = 0; i < count; ++i) channel->send(0, numbered(i));
        });
    }
    const auto zero = network.channel(0);
    std::array<std::uint64_t, 4> next{};
    for (std::uint64_t received = 0; received < 3 * count;) {
        const auto message = zero->try_receive();
        if (!message) continue;
        ASSERT_EQ(message->range.first, next.at(static_cast<std::size_t>(message->sender))++);
        ++received;
    }
    EXPECT_FALSE(zero->try_receive());
}

}  // namespace
}  // namespace dse::dist
