#include "app/proof_plays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/eval/load_sweep.hpp"
#include "support/sweep_files.hpp"

namespace dse::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Verdict = results::Proof::Verdict;

/// A proof that has looked at one point after the other.
results::Proof point_by_point(const space::Space& space, Verdict verdict) {
    results::Proof proof;
    for (std::uint64_t i = 0; i < space.axes().front().values.count(); ++i)
        proof.parts.push_back({space::Box{{{i, 1}}}, verdict, 0, {}});
    return proof;
}

TEST(ProofPlays, AreOfTheLayoutsWithTheFewestWorks) {
    const dse::test::WrittenSweeps files{eval::load_sweep};
    const study::Sweep sweep =
        files.load(dse::test::WrittenSweeps::llama("axes: {microbatch: [2, 8, 4, 1]}\n", "tp: 8"));
    const results::Proof proof = point_by_point(*sweep.space, Verdict::dominated);
    // Larger microbatches are fewer.
    EXPECT_THAT(proof_plays(sweep, proof, 2), ElementsAre(1, 2));
    EXPECT_THAT(proof_plays(sweep, proof, 100), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(proof_plays(sweep, proof, 0), IsEmpty());
    EXPECT_THAT(proof_plays(sweep, point_by_point(*sweep.space, Verdict::infeasible), 2), IsEmpty());
}

}  // namespace
}  // namespace dse::app
