#include "frontend/template/expert_loads.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

using graph::MeshAxis;

/// 1024 tokens choose 2 of 16 experts: 128 rows each. etp 2, ep 4, edp 2: a group of 8 devices has 1024 of
/// the 2048 rows, each of its 4 shares 256.
class ExpertLoadsTest : public testing::Test {
  protected:
    ExpertLoadsTest() {
        dimensions_.add_symbol("e");
        dimensions_.add_symbol("k");
        const std::vector<DimId> tokens{dimensions_.intern("b"), dimensions_.intern("s")};
        rows_ = dimensions_.intern_rows(tokens, {dimensions_.intern("k"), dimensions_.intern("e")});
        extents_.intern({rows_, MeshAxis::expert_data});
        numbers_.mesh = graph::Mesh::dense(1, 1, 16, 1);
        numbers_.mesh.set_degree(MeshAxis::expert_tensor, 2);
        numbers_.mesh.set_degree(MeshAxis::expert, 4);
        numbers_.mesh.set_degree(MeshAxis::expert_data, 2);
    }
    void evaluate(double experts = 16) {
        dims_.resize(dimensions_.size());
        dimensions_.evaluate(std::vector<double>{8, 128, experts, 2}, dims_);
        loads_.evaluate(routing_, dimensions_, dims_, numbers_);
        evaluate_extents(extents_, dims_, dimensions_, numbers_);
    }

    Dimensions dimensions_;
    Extents extents_;
    Numbers numbers_;
    ExpertLoads loads_;
    graph::Routing routing_;
    std::vector<double> dims_;
    DimId rows_;
};

TEST_F(ExpertLoadsTest, BalancedRowsAreTheMean) {
    evaluate();
    EXPECT_EQ(dims_[rows_.index()], 128);
    EXPECT_EQ(numbers_.extents[0], 64) << "an expert has replicas over edp, which share its rows";
    EXPECT_EQ(numbers_.means[0], 64);
}

TEST_F(ExpertLoadsTest, ExpertsInTurnAreAsBalanced) {
    evaluate();
    EXPECT_EQ(numbers_.experts_in_turn, 0.0);
    routing_.imbalance = graph::Imbalance::in_turn;
    evaluate();
    EXPECT_EQ(numbers_.extents[0], 64);
    EXPECT_EQ(numbers_.experts_in_turn, 16.0);
}

TEST_F(ExpertLoadsTest, RowsNeedNotBeWhole) {
    evaluate(12);
    EXPECT_EQ(numbers_.extents[0], 2048.0 / 12 / 2);
}

TEST_F(ExpertLoadsTest, TheFullestDeviceHasMore) {
    for (const auto imbalance : {graph::Imbalance::uniform, graph::Imbalance::zipf}) {
        routing_.imbalance = imbalance;
        const double load = graph::fullest_load(routing_, {16, 2, 4, 256});
        ASSERT_GT(load, 1.0);
        for (int again = 0; again < 2; ++again) {
            evaluate();
            EXPECT_EQ(numbers_.extents[0], 64 * load);
            EXPECT_EQ(numbers_.means[0], 64) << "what the model asks for stays";
        }
    }
    routing_.skew = 0.5;
    evaluate();
    EXPECT_EQ(numbers_.extents[0], 64 * graph::fullest_load(routing_, {16, 2, 4, 256}))
        << "nothing of another routing is kept";
}

TEST_F(ExpertLoadsTest, ExpertsThatDoNotDivideAreNoLayout) {
    routing_.imbalance = graph::Imbalance::zipf;
    EXPECT_THROW(evaluate(18), ModelError);
}

/// Each of the two groups has 512 of the tokens, enough for all experts; with 4 tokens in all, 2 of them
/// touch 1 - (7/8)^2 of 16 experts.
TEST_F(ExpertLoadsTest, FewTokensTouchFewExperts) {
    evaluate();
    const DimId experts = dimensions_.intern("e");
    ExpertLoads::evaluate_touched(routing_, {}, dimensions_, dims_, numbers_);
    EXPECT_NEAR(numbers_.touched[experts.index()], 1.0, 1e-12);
    EXPECT_EQ(numbers_.touched[dimensions_.intern("k").index()], 1.0) << "of what holds no experts";
    dimensions_.evaluate(std::vector<double>{4, 1, 16, 2}, dims_);
    ExpertLoads::evaluate_touched(routing_, {}, dimensions_, dims_, numbers_);
    // Of four devices with four experts each, the one that has most; the mean of the largest of four normals
    // is 6/π^1.5 · arctan √2.
    const double mean = 1 - 49.0 / 64;
    const double largest = 6.0 / std::pow(std::numbers::pi, 1.5) * std::atan(std::numbers::sqrt2);
    EXPECT_NEAR(numbers_.touched[experts.index()], mean + std::sqrt(mean * (1 - mean) / 4) * largest, 1e-9);
}

}  // namespace
}  // namespace dse::frontend
