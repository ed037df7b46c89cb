#include "dse/serving/host_cache.hpp"

#include <array>

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

constexpr std::array<std::uint32_t, 3> path{0, 1, 2};

/// Of a prompt, the last piece is kept first.
void keep(HostCache& cache, std::span<const std::uint32_t> pieces) {
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) cache.keep(*piece);
}

TEST(HostCache, ForgetsWhatWasUnusedForLongest) {
    HostCache cache{6, 4};
    keep(cache, path);
    EXPECT_EQ(cache.hits(path), 3U);
    constexpr std::array<std::uint32_t, 3> other{3, 4, 5};
    keep(cache, other);
    EXPECT_EQ(cache.hits(other), 3U);
    EXPECT_EQ(cache.hits(path), 1U) << "room for one, and beginnings last longest";
}

TEST(HostCache, WhatIsUsedAgainStays) {
    HostCache cache{6, 4};
    keep(cache, path);
    cache.keep(3);
    keep(cache, path);
    cache.keep(4);
    EXPECT_EQ(cache.hits(path), 3U);
    EXPECT_EQ(cache.hits(std::array<std::uint32_t, 1>{3}), 0U);
}

TEST(HostCache, OfNoRoomKeepsNothing) {
    HostCache cache{6, 0};
    cache.keep(0);
    EXPECT_EQ(cache.hits(path), 0U);
}

}  // namespace
}  // namespace dse::serving
