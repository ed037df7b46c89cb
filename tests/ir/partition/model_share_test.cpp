#include "ir/partition/model_share.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/ir/partition/partition.hpp"
#include "dse/ir/program/cost/cost_analysis.hpp"
#include "ir/partition/random_program.hpp"
#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

// lhs [m, k] times rhs [k, n]; factors in the order m, n, k. The mesh is 4 x 2.
struct Product : ShardedProgram {
    Product(std::int64_t m, std::int64_t n, std::int64_t k) {
        product(argument({m, k}), argument({k, n}));
        rule = *factor_rule(program, operation());
    }
    [[nodiscard]] const Operation& operation() const { return program[main].operations[0]; }
    [[nodiscard]] double share(const std::vector<Axes>& axes) const {
        return ModelShares{program, 8}.of(main, operation(), rule, axes);
    }
    FactorRule rule;
};

TEST(ModelShare, IsAllWhereEveryDeviceHasAPartOfItsOwn) {
    const Product product{16, 64, 32};
    EXPECT_EQ(product.share({{data}, {model}, {}}), 1.0);
    EXPECT_EQ(product.share({{}, {model}, {data}}), 1.0);
    EXPECT_EQ(product.share({{}, {}, {model, data}}), 1.0);
}

// Over an axis that cuts nothing all devices do the same.
TEST(ModelShare, CountsOnceWhatDevicesRepeat) {
    const Product product{16, 64, 32};
    EXPECT_EQ(product.share({{data}, {}, {}}), 1.0 / 2);
    EXPECT_EQ(product.share({{}, {model}, {}}), 1.0 / 4);
    EXPECT_EQ(product.share({{}, {}, {}}), 1.0 / 8);
    EXPECT_EQ((ModelShares{product.program, 8}.of(product.main, product.operation())), 1.0 / 8);
}

// 10 rows on 4 devices are 3 each, 7 terms of a sum on 2 devices 4 each.
TEST(ModelShare, LeavesOutPadding) {
    const Product product{10, 64, 7};
    EXPECT_EQ(product.share({{data}, {model}, {}}), 10.0 / 12);
    EXPECT_EQ(product.share({{data}, {}, {model}}), 10.0 / 12 * (7.0 / 8));
    EXPECT_EQ(product.share({{data}, {}, {}}), 10.0 / 12 / 2);
}

// A loop inside a manual computation over "data": what its body does stands for one of 4 devices.
TEST(ModelShare, TakesWhatIsByHandAsOneDevicesPart) {
    ShardedProgram s;
    const ComputationId outer = s.builder.computation("by hand", 2);
    const ComputationId inner = s.builder.computation("body", 3);
    const TypeId type = s.array({16, 16});
    const std::array types{type};
    const ValueId x = s.builder.argument(inner, type);
    const std::array operands{x, x};
    s.builder.append(inner, {.opcode = Opcode::dot, .operands = operands, .results = types});
    const std::array loop{inner};
    s.builder.append(outer, {.opcode = Opcode::while_loop, .called = loop});
    ManualComputation manual;
    manual.manual_axes = {data};
    const std::array body{outer};
    s.builder.append(
        s.main,
        {.opcode = Opcode::manual_computation, .called = body, .attribute = s.builder.attribute(manual)});
    const ModelShares shares{s.program, 8};
    const Operation& dot = s.program[inner].operations[0];
    FactorRule rule;
    rule.add(16);
    EXPECT_EQ(shares.of(inner, dot), 4.0 / 8);
    EXPECT_EQ(shares.of(inner, dot, rule, {{model}}), 1.0);
    EXPECT_EQ(shares.of(s.main, s.program[s.main].operations[0]), 1.0 / 8);
}

// GSPMD's: in a loop behind the border, and outside again.
TEST(ModelShare, JudgesNoRepetitionBehindBorders) {
    ShardedProgram s;
    const auto call = [&](std::string_view target, ValueId operand) {
        return s.operation(Opcode::custom_call, {operand}, {16, 16},
                           ForeignCall{s.builder.name(target), no_name});
    };
    const ValueId x = s.argument({16, 16});
    s.product(x, x);
    const ValueId inside = call("SPMDFullToShardShape", x);
    const ComputationId body = s.builder.computation("body", 9);
    const TypeId type = s.program.type_of(x);
    const ValueId carried = s.builder.argument(body, type);
    const std::array types{type};
    const std::array operands{carried, carried};
    const std::array loop{body};
    const std::array inits{inside};
    s.builder.append(body, {.opcode = Opcode::dot, .operands = operands, .results = types});
    s.builder.append(s.main,
                     {.opcode = Opcode::while_loop, .operands = inits, .results = types, .called = loop});
    const ValueId outside = call("SPMDShardToFullShape", inside);
    s.product(outside, x);
    const ModelShares shares{s.program, 8};
    const auto& operations = s.program[s.main].operations;
    EXPECT_EQ(shares.of(s.main, operations[0]), 1.0 / 8);
    EXPECT_EQ(shares.of(body, s.program[body].operations[0]), 1.0);
    EXPECT_EQ(shares.of(s.main, operations.back()), 1.0 / 8);
    FactorRule rule;
    rule.add(10);
    EXPECT_EQ(shares.of(body, s.program[body].operations[0], rule, {{data}}), 10.0 / 12) << "padding is";
}

double model_flops(const Program& program) {
    const ForeignCosts foreign;
    CostAnalysis costs{program, foreign, LoopCounting::once};
    double sum = 0;
    for (const Computation& computation : program.computations)
        for (const Operation& operation : computation.operations) {
            if (operation.opcode != Opcode::dot) continue;
            const Cost cost = costs.operation(operation);
            sum += cost.executed() - cost.surplus;
        }
    return sum;
}

class ModelShareOfRandomPrograms : public testing::TestWithParam<int> {};

// Whatever the layouts, all devices together are asked for what the whole program holds: to the last digit,
// since all sizes are powers of two.
TEST_P(ModelShareOfRandomPrograms, SumsUpToTheWhole) {
    const test::RandomProgram random{static_cast<std::uint64_t>(GetParam())};
    EXPECT_EQ(8 * model_flops(partitioned(random.program)), model_flops(random.program));
}

INSTANTIATE_TEST_SUITE_P(Seeds, ModelShareOfRandomPrograms, testing::Range(0, 200));

}  // namespace
}  // namespace dse::ir::partition
