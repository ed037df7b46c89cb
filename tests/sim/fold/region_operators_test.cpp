// Also tests: fold/task_operators.cpp, fold/region_table.cpp
#include "dse/sim/fold/region_operators.hpp"

#include <random>

#include <gtest/gtest.h>

#include "dse/sim/fold/task_operators.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::MeshAxis;
using graph::RegionId;
using graph::ValueRef;
using test::SmallGraph;

/// Entry of an operator's matrix.
double entry(const RegionOperators& operators, const Operator& matrix, std::size_t i, std::size_t j) {
    return operators.pool().at(matrix.offset)[i * matrix.width() + j];
}

class RegionOperatorsTest : public ::testing::Test {
  protected:
    void fold(const SmallGraph& made) {
        table_.reset(made.graph);
        operators_.reset(made.graph, {&made.durations}, table_);
    }
    RegionTable table_;
    RegionOperators operators_;
};

// A kernel of 3 that waits for port 0, then a collective of 2 on stream 1, there after 1, that holds compute
// for 0.5:
//   kernel starts at max(compute, port), so stream 0 = that + 3, then the collective starts at
//   max(stream 1, compute + 3, port + 3): stream 0 ends 0.5, stream 1 2, the value 1 after that.
TEST_F(RegionOperatorsTest, FollowsFromTheNodes) {
    SmallGraph made{2};
    const RegionId region =
        made.region(1,
                    {SmallGraph::node(made.kernel(3), {ValueRef::port(0)}),
                     SmallGraph::node(made.collective(MeshAxis::data, {2, 1, 0.5}), {ValueRef::item(0)}, 1)},
                    {ValueRef::item(1), ValueRef::port(0), ValueRef::none()});
    made.program(made.pass(1), made.pass(1));
    fold(made);
    const Operator& matrix = operators_.of(region, 0);
    ASSERT_EQ(matrix.inputs, 3U);
    ASSERT_EQ(matrix.outputs, 5U);
    const double expected[5][3] = {
        {3.5, 0.5, 3.5}, {5, 2, 5}, {4, 1, 4}, {absent, absent, 0}, {absent, absent, absent}};
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            EXPECT_EQ(entry(operators_, matrix, i, j), expected[i][j]) << i << j;
    }
    EXPECT_EQ(operators_.streams_of(region, 0), 3U);
}

/// Of two bodies that are repeated, the one without a time that differs stays.
TEST_F(RegionOperatorsTest, ChangeWithTheDurations) {
    SmallGraph made{1};
    const graph::WorkId first = made.kernel(3);
    const RegionId body = made.region(1, {SmallGraph::node(first, {ValueRef::port(0)})}, {ValueRef::item(0)});
    const RegionId other =
        made.region(1, {SmallGraph::node(made.kernel(5), {ValueRef::port(0)})}, {ValueRef::item(0)});
    graph::StageProgram& program = made.program(made.pass(1), made.pass(1));
    program.counts = {4};
    const auto repeat = [&](RegionId of) {
        return made.region(1, {SmallGraph::repeat(of, 0, {ValueRef::port(0)})}, {ValueRef::item(0)});
    };
    const RegionId four = repeat(body);
    const RegionId four_others = repeat(other);
    fold(made);
    EXPECT_EQ(entry(operators_, operators_.of(four, 0), 1, 0), 12);
    EXPECT_EQ(entry(operators_, operators_.of(four_others, 0), 1, 0), 20);
    const std::uint64_t before = operators_.node_visits();

    Durations longer = made.durations;
    longer.of_work[first.index()] = {7, 7, 0};
    operators_.change({&longer});
    EXPECT_EQ(entry(operators_, operators_.of(four, 0), 1, 0), 28);
    EXPECT_EQ(entry(operators_, operators_.of(four_others, 0), 1, 0), 20);
    EXPECT_EQ(operators_.node_visits(), before + 1) << "one kernel of one body";
    operators_.change({&made.durations});
    EXPECT_EQ(entry(operators_, operators_.of(four, 0), 1, 0), 12);
}

/// A power is what its factors do one after the other.
TEST_F(RegionOperatorsTest, PowersEqualRepeatedApplication) {
    std::mt19937_64 random{7};
    for (int round = 0; round < 50; ++round) {
        const auto draw = [&random](std::size_t n) {
            return std::uniform_int_distribution<std::size_t>{0, n - 1}(random);
        };
        SmallGraph made{3};
        std::vector<test::Item> items;
        for (std::size_t i = 0; i < 6; ++i) {
            std::vector<ValueRef> inputs{ValueRef::port(draw(3))};
            if (i > 0) inputs.push_back(ValueRef::item(draw(i)));
            const graph::WorkId work = made.collective(MeshAxis::data, static_cast<double>(draw(5)) / 4);
            items.push_back(SmallGraph::node(work, inputs, draw(3)));
        }
        const std::vector<ValueRef> outputs{ValueRef::item(draw(6)), ValueRef::port(0), ValueRef::port(1)};
        const RegionId body = made.region(3, items, outputs);
        made.program(made.pass(1), made.pass(1));
        fold(made);
        const std::int64_t count = 1 + static_cast<std::int64_t>(draw(40));
        const Operator power = operators_.power(body, 0, count);
        const std::size_t columns = operators_.columns_of(body, 0);

        std::vector<double> state(6);
        for (double& value : state) value = static_cast<double>(draw(8)) / 8;
        std::vector<double> at_once(6, absent);
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t j = 0; j < 6; ++j) {
                at_once[i] = later(at_once[i], entry(operators_, power, i, j) + state[j]);
            }
        }
        std::vector<double> next(6);
        for (std::int64_t n = 0; n < count; ++n) {
            apply(operators_.pool().at(columns), 6, 6, state.data(), next.data());
            state.swap(next);
        }
        EXPECT_EQ(at_once, state) << "round " << round << ", count " << count;
    }
}

TEST_F(RegionOperatorsTest, VisitsEachNodeOnceWhateverTheCount) {
    for (const std::int64_t layers : {1LL, 80LL, 1'000'000LL}) {
        const test::LayerGraph made{{1, 1, layers}};
        table_.reset(made.graph);
        operators_.reset(made.graph, {&made.durations}, table_);
        operators_.of(RegionId{1}, 0);
        EXPECT_EQ(operators_.node_visits(), 27U);  // a layer of 26 and one kernel
    }
}

TEST_F(RegionOperatorsTest, LeavesEverythingWhereNothingIsRepeated) {
    SmallGraph made{2};
    const RegionId body = made.region(1, {SmallGraph::node(made.kernel(1))}, {ValueRef::item(0)});
    const RegionId region =
        made.region(1, {SmallGraph::repeat(body, 0, {ValueRef::port(0)})}, {ValueRef::item(0)});
    made.program(made.pass(1), made.pass(1), {0});
    fold(made);
    const Operator& matrix = operators_.of(region, 0);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(entry(operators_, matrix, i, j), i == j ? 0.0 : absent);
    }
}

/// Of a pass of one stage program: by evaluation, each number beside that of one evaluation by itself.
void expect_numbers_of_each(AbreastOperators& together, const graph::Graph& graph, const RegionTable& table,
                            const AbreastOperators::AllDurations& durations) {
    for (std::size_t which = 0; which < abreast; ++which) {
        RegionOperators alone;
        alone.reset(graph, {durations[which]}, table);
        for (const RegionId region :
             {graph.programs[0].chunks[0].forward, graph.programs[0].chunks[0].backward,
              graph.programs[0].update, graph.programs[0].finish}) {
            const Operator all = together.of(region, 0);
            const Operator one = alone.of(region, 0);
            ASSERT_EQ(all.inputs, one.inputs);
            ASSERT_EQ(all.outputs, one.outputs);
            for (std::size_t k = 0; k < one.outputs * one.inputs; ++k) {
                const std::size_t i = k / one.inputs;
                const std::size_t j = k % one.inputs;
                EXPECT_EQ(together.pool().at(all.offset)[k * abreast + which], entry(alone, one, i, j));
            }
        }
    }
}

/// The last one never holds the compute stream where others do, and in the first no kernels lose time.
TEST(AbreastOperators, HaveTheNumbersOfEachEvaluation) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {}}.make();
        std::vector<Durations> each(abreast + 1, made.durations);
        for (std::size_t which = 0; which < each.size(); ++which) {
            for (NodeTime& time : each[which].of_work) {
                const double by = static_cast<double>(which + 1);
                time = {by * time.duration, by * time.visible, which == 3 ? 0.0 : by * time.hold,
                        which == 0 ? 0.0 : by * time.lost};
            }
        }
        RegionTable table;
        table.reset(made.graph);
        AbreastOperators together;
        AbreastOperators::AllDurations all{&each[0], &each[1], &each[2], &each[3]};
        together.reset(made.graph, all, table);
        expect_numbers_of_each(together, made.graph, table, all);
        all[1] = &each[4];
        together.change(all);
        expect_numbers_of_each(together, made.graph, table, all);
    }
}

TEST(RegionTable, SharesWhatIsTheSame) {
    SmallGraph made;
    const RegionId leaf = made.pass(1);
    const RegionId stack =
        made.region(1, {SmallGraph::repeat(leaf, 0, {ValueRef::port(0)})}, {ValueRef::item(0)});
    made.program(stack, leaf, {3});
    made.program(stack, leaf, {4});
    made.program(stack, leaf, {3});
    RegionTable table;
    table.reset(made.graph);
    EXPECT_EQ(table.slot(leaf, 0), table.slot(leaf, 1));
    EXPECT_NE(table.slot(stack, 0), table.slot(stack, 1));
    EXPECT_EQ(table.slot(stack, 0), table.slot(stack, 2));
    EXPECT_NE(table.slot(stack, 0), table.slot(leaf, 0));
    EXPECT_LT(table.slot(stack, 1), table.slots());
    EXPECT_EQ(table.most_values(), 1U);
}

/// Every height has its own code.
TEST(Apply, TakesTheLatestOfAllInputs) {
    for (std::size_t size = 1; size <= 17; ++size) {
        const std::size_t height = padded(size);
        std::vector<double> columns(size * height, absent);
        std::vector<double> in(size);
        std::vector<double> expected(size, absent);
        for (std::size_t j = 0; j < size; ++j) {
            in[j] = static_cast<double>(j * j % 7);
            for (std::size_t i = j % 2; i < size; ++i) {
                columns[j * height + i] = static_cast<double>(3 * i % 5);
                expected[i] = later(expected[i], columns[j * height + i] + in[j]);
            }
        }
        std::vector<double> out(height);
        apply(columns.data(), size, size, in.data(), out.data());
        out.resize(size);
        EXPECT_EQ(out, expected) << size;
    }
}

}  // namespace
}  // namespace dse::sim::fold
