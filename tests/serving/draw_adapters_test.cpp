// Also tests: zipf_draw.cpp
#include "dse/serving/draw_adapters.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "dse/serving/draw_requests.hpp"

namespace dse::serving {
namespace {

graph::Traffic traffic_of(std::int64_t adapters, double skew) {
    graph::Traffic traffic;
    traffic.rate = graph::Frequency{10.0};
    traffic.requests = 40'000;
    traffic.adapters = adapters;
    traffic.adapter_skew = skew;
    return traffic;
}

std::vector<double> shares_of(const graph::Traffic& traffic) {
    std::vector<double> shares(static_cast<std::size_t>(traffic.adapters));
    for (const Request& request : draw_requests(traffic, 1).all)
        shares[request.adapter] += 1.0 / static_cast<double>(traffic.requests);
    return shares;
}

/// 1 : 1/2 : 1/3 : 1/4 is 12 : 6 : 4 : 3 of 25.
TEST(DrawAdapters, FollowsZipfsLaw) {
    const std::vector<double> equal = shares_of(traffic_of(4, 0.0));
    const std::vector<double> skewed = shares_of(traffic_of(4, 1.0));
    const double wanted[] = {12.0 / 25, 6.0 / 25, 4.0 / 25, 3.0 / 25};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(equal[i], 0.25, 0.01);
        EXPECT_NEAR(skewed[i], wanted[i], 0.01);
    }
}

TEST(DrawAdapters, ChangesNothingElse) {
    const Requests with = draw_requests(traffic_of(3, 1.0), 1);
    Requests without = draw_requests(traffic_of(0, 0.0), 1);
    for (std::size_t i = 0; i < with.all.size(); ++i) without.all[i].adapter = with.all[i].adapter;
    EXPECT_EQ(with.all, without.all);
}

/// Prompts with the same beginning share it only if they name the same adapter.
TEST(DrawAdapters, NamesPiecesByAdapter) {
    Requests requests;
    requests.all.resize(50);
    for (std::uint32_t i = 0; i <= 50; ++i) requests.first_piece.push_back(i);
    requests.pieces.assign(50, 7);
    requests.piece_names = 8;
    draw_adapters(traffic_of(3, 0.0), 1, requests);
    EXPECT_EQ(requests.piece_names, 3U);
    for (std::size_t i = 0; i < 50; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_EQ(requests.pieces[i] == requests.pieces[j],
                      requests.all[i].adapter == requests.all[j].adapter);
        }
    }
    Requests same = requests;
    draw_adapters(traffic_of(0, 0.0), 1, same);
    EXPECT_EQ(same.all, requests.all) << "no adapters";
}

}  // namespace
}  // namespace dse::serving
