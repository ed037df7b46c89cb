#include "dse/model/network/by_pattern.hpp"

#include <array>

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;
using testing::AllOf;
using testing::HasSubstr;

/// Members of groups, the stages of a pair from which to which, ranks of a list: 1000, 2000, 3000 and these.
double asked(const Communication& what) {
    return by_pattern(
               what,
               [](CollectiveKind, const AxisGroups& groups) {
                   return Seconds{1000.0 + static_cast<double>(groups.mesh->degree(groups.axes))};
               },
               [](const StagePairs& pairs) {
                   return Seconds{2000.0 + 10.0 * static_cast<double>(pairs.from) +
                                  static_cast<double>(pairs.to)};
               },
               [](const RankList& list) { return Seconds{3000.0 + static_cast<double>(list.ranks.size())}; })
        .value();
}

double listed(std::vector<std::int64_t> ranks, std::optional<CollectiveKind> kind) {
    return asked({kind, Bytes{1}, RankList{ranks, 8}});
}

TEST(ByPattern, GroupsAndStagesAreWhatTheyAre) {
    const Mesh mesh = Mesh::dense(2, 1, 1, 4);
    EXPECT_EQ(asked({CollectiveKind::all_reduce, Bytes{1}, AxisGroups{&mesh, MeshAxis::tensor}}), 1002.0);
    EXPECT_EQ(asked({std::nullopt, Bytes{1}, StagePairs{&mesh, 1, 2}}), 2012.0);
    EXPECT_EQ(asked({CollectiveKind::all_reduce, Bytes{1}, StagePairs{&mesh, 0, 3}}), 2003.0);
}

TEST(ByPattern, AListIsWhateverItCanBe) {
    const auto kind = CollectiveKind::all_gather;
    EXPECT_EQ(listed({3}, kind), 0.0) << "nobody to talk to";
    EXPECT_EQ(listed({4, 5, 6, 7}, kind), 1004.0) << "one of two groups of four";
    EXPECT_EQ(listed({6, 4, 0, 2}, kind), 1004.0) << "in any order";
    EXPECT_EQ(listed({1, 2}, kind), 2012.0) << "no group of any mesh";
    EXPECT_EQ(listed({0, 1, 3}, kind), 3003.0);
    EXPECT_EQ(listed({0, 4}, std::nullopt), 2004.0) << "a message has a direction";
    EXPECT_EQ(listed({4, 0}, std::nullopt), 2040.0);
}

TEST(ByPattern, ARefusalNamesTheModelAndTheGroup) {
    const std::array<std::int64_t, 3> ranks{0, 1, 3};
    EXPECT_THAT(test::error_message<ModelError>([&] {
                    refuse_irregular("nccl", {ranks, 8});
                }),
                AllOf(HasSubstr("3 ranks (0, 1, 3, …)"), HasSubstr("8 devices"), HasSubstr("nccl needs")));
}

}  // namespace
}  // namespace dse::model
