#include "dse/model/network/tier_bytes.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "dse/graph/totals.hpp"

namespace dse::model {
namespace {

using graph::Collective;
using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;

/// Domains of 8, and switches between them.
hardware::DimensionList domains_of_eight(std::int64_t domains) {
    hardware::DimensionList dimensions;
    for (const std::int64_t size : {std::int64_t{8}, domains}) {
        hardware::DimensionSpec dimension;
        dimension.size = size;
        dimensions.push_back(dimension);
    }
    return dimensions;
}

double sum(const TierBytes& bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

TEST(BytesByTier, ReduceInsideAndThenAcross) {
    // 16 ranks of dp in two domains of 8: 2 · 7/8 · 64 B inside, 2 · 1/2 · 64/8 B across.
    const Collective reduce{CollectiveKind::all_reduce, MeshAxis::data, Bytes{64}};
    const TierBytes bytes = bytes_by_tier(reduce, Mesh::dense(1, 1, 16, 1), domains_of_eight(2));
    EXPECT_DOUBLE_EQ(bytes[0], 112.0);
    EXPECT_DOUBLE_EQ(bytes[1], 8.0);
}

TEST(BytesByTier, AGroupInsideADomainSendsNothingAcross) {
    const Collective gather{CollectiveKind::all_gather, MeshAxis::tensor, Bytes{64}};
    const TierBytes bytes = bytes_by_tier(gather, Mesh::dense(8, 1, 4, 1), domains_of_eight(4));
    EXPECT_DOUBLE_EQ(bytes[0], 56.0);
    EXPECT_EQ(bytes[1], 0.0);
    // One rank of each domain: nothing inside, 3/4 across.
    const Collective across{CollectiveKind::all_gather, MeshAxis::data, Bytes{64}};
    const TierBytes of_dp = bytes_by_tier(across, Mesh::dense(8, 1, 4, 1), domains_of_eight(4));
    EXPECT_EQ(of_dp[0], 0.0);
    EXPECT_DOUBLE_EQ(of_dp[1], 48.0);
}

TEST(BytesByTier, AnAllToAllSendsEachRankItsShare) {
    // Of 16 shares of 4 B: 7 stay in the domain, 8 leave it, 1 is the sender's own.
    const Collective exchange{CollectiveKind::all_to_all, MeshAxis::data, Bytes{64}};
    const TierBytes bytes = bytes_by_tier(exchange, Mesh::dense(1, 1, 16, 1), domains_of_eight(2));
    EXPECT_DOUBLE_EQ(bytes[0], 28.0);
    EXPECT_DOUBLE_EQ(bytes[1], 32.0);
}

TEST(BytesByTier, ADeduplicatedExchangeSendsATokenOnceToADomain) {
    // 16 ranks in two domains of 8, tokens with 8 choices: 2 · (1 - (1/2)^8) of 8 copies are for distinct
    // domains, half of them for the other one; 16 · (1 - (15/16)^8) of 8 are for distinct ranks, 7 of 8 for
    // others of the domain.
    Collective exchange{CollectiveKind::all_to_all, MeshAxis::data, Bytes{64}};
    exchange.dispatch.choices = 8;
    const TierBytes bytes = bytes_by_tier(exchange, Mesh::dense(1, 1, 16, 1), domains_of_eight(2));
    EXPECT_NEAR(bytes[1], 64.0 * 0.5 * 2.0 * (255.0 / 256.0) / 8.0, 1e-12);
    EXPECT_NEAR(bytes[0], 64.0 * 7.0 / 8.0 * 16.0 * (1.0 - std::pow(15.0 / 16.0, 8)) / 8.0, 1e-12);
}

TEST(BytesByTier, ARingLeavesItsDomainOnce) {
    // 7 of 8 ranks pass on inside, the eighth to the other domain.
    const Collective shift{CollectiveKind::ring_shift, MeshAxis::context, Bytes{64}};
    const TierBytes bytes = bytes_by_tier(shift, Mesh::dense(1, 16, 1, 1), domains_of_eight(2));
    EXPECT_DOUBLE_EQ(bytes[0], 56.0);
    EXPECT_DOUBLE_EQ(bytes[1], 8.0);
}

/// Whatever the layout, no byte is lost: the sum is what graph::Totals counts.
TEST(BytesByTier, SumsToWhatIsSent) {
    for (const auto kind :
         {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
          CollectiveKind::all_to_all, CollectiveKind::ring_shift}) {
        for (const auto& [tp, cp, dp] : {std::array<int, 3>{2, 4, 8}, {8, 2, 4}, {1, 16, 4}, {16, 1, 4}}) {
            const Mesh mesh = Mesh::dense(tp, cp, dp, 1);
            for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::context, MeshAxis::data}) {
                const auto n = static_cast<double>(mesh.degree(axis));
                const Collective collective{kind, axis, Bytes{6400}};
                const double factor = kind == CollectiveKind::all_reduce   ? 2.0 * (n - 1) / n
                                      : kind == CollectiveKind::ring_shift ? (n > 1 ? 1.0 : 0.0)
                                                                           : (n - 1) / n;
                EXPECT_DOUBLE_EQ(sum(bytes_by_tier(collective, mesh, domains_of_eight(8))), factor * 6400.0)
                    << name(kind) << " of " << n;
            }
        }
    }
}

TEST(BytesByTier, AMessagePassesTheTiersBetweenStages) {
    // tp 8 fills a domain: stages lie in different ones.
    const TierBytes across = bytes_by_tier(Bytes{64}, Mesh::dense(8, 1, 1, 4), 1, 2, domains_of_eight(4));
    EXPECT_EQ(across[0], 0.0);
    EXPECT_EQ(across[1], 64.0);
    // tp 4: stages 0 and 1 share a domain, 1 and 2 do not, and stand at other places in theirs.
    const Mesh two = Mesh::dense(4, 1, 1, 4);
    EXPECT_EQ(bytes_by_tier(Bytes{64}, two, 0, 1, domains_of_eight(2))[1], 0.0);
    EXPECT_EQ(bytes_by_tier(Bytes{64}, two, 1, 2, domains_of_eight(2))[1], 64.0);
}

}  // namespace
}  // namespace dse::model
