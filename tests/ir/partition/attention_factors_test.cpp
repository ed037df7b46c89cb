#include "ir/partition/attention_factors.hpp"

#include <gtest/gtest.h>

#include "dse/ir/cost/program_cost.hpp"
#include "dse/ir/partition/partition.hpp"
#include "ir/partition/sharded_program.hpp"
#include "support/factor_rule_text.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

// 8 heads of queries on 2 of keys, each of 64: [b, s, h, d].
struct Attention : ShardedProgram {
    ForeignCall target(std::string_view name) {
        return {builder.name(name), builder.name("{causal = true}")};
    }
    Operation& forward(ValueId q, ValueId k, ValueId v) {
        const std::vector<ValueId> operands{q, k, v};
        const std::vector<TypeId> results{array({4, 128, 8, 64}), array({4, 2, 4, 128}, ElementType::f32)};
        return builder.append(main, {.opcode = Opcode::composite,
                                     .name = builder.name("stablehlo.composite"),
                                     .operands = operands,
                                     .results = results,
                                     .attribute = builder.attribute(target("dse.flash_attention"))});
    }
};

TEST(AttentionRule, SplitsBatchesHeadsAndQueries) {
    Attention p;
    const Operation& call =
        p.forward(p.argument({4, 128, 8, 64}), p.argument({4, 128, 2, 64}), p.argument({4, 128, 2, 64}));
    const auto rule = attention_rule({p.program, call}, *fused_attention("dse.flash_attention"));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j, kl, m], [i, n, k, m], [i, n, k, m])->([i, j, kl, m], [i, k, l, j]) "
              "{i=4, j=128, k=2, l=4, m=64, n=128} need_replication={m, n}");
}

// The gradients of keys and values are sums over all queries.
TEST(AttentionRule, KeepsTheQueriesOfABackwardPassTogether) {
    Attention p;
    const ValueId q = p.argument({4, 128, 8, 64});
    const ValueId k = p.argument({4, 128, 2, 64});
    const std::vector<ValueId> operands{q, k, k, q, p.argument({4, 2, 4, 128}), q};
    const std::vector<TypeId> results{p.array({4, 128, 8, 64}), p.array({4, 128, 2, 64}),
                                      p.array({4, 128, 2, 64})};
    const Operation& call =
        p.builder.append(p.main, {.opcode = Opcode::custom_call, .operands = operands, .results = results});
    const auto rule = attention_rule({p.program, call}, *fused_attention("dse.flash_attention_backward"));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j, kl, m], [i, n, k, m], [i, n, k, m], [i, j, kl, m], [i, k, l, j], [i, j, kl, m])->"
              "([i, j, kl, m], [i, n, k, m], [i, n, k, m]) "
              "{i=4, j=128, k=2, l=4, m=64, n=128} need_replication={j, m, n}");
}

TEST(AttentionRule, IsNoneWhereOperandsAreOthers) {
    Attention p;
    const Operation& call =
        p.forward(p.argument({4, 128, 8, 64}), p.argument({4, 128, 3, 64}), p.argument({4, 128, 3, 64}));
    EXPECT_FALSE(attention_rule({p.program, call}, *fused_attention("dse.flash_attention")).has_value());
}

// On data = 4 and model = 2 each device has one batch and the heads of one key: no communication, and an
// eighth of the two causal products' 4 · 4 · 128 · 8 · 64 · 128 / 2 FLOPs.
TEST(AttentionRule, PartitionsACompositeAsOneKernel) {
    Attention p;
    const auto lie = p.on({{data}, {}, {model}, {}});
    const Operation& call = p.forward(p.argument({4, 128, 8, 64}, lie), p.argument({4, 128, 2, 64}, lie),
                                      p.argument({4, 128, 2, 64}, lie));
    p.returns({Program::result(call)});
    const Program local = partitioned(p.program);
    const Computation& entry = local[local.entry];
    ASSERT_EQ(entry.operations.size(), 1U);
    EXPECT_EQ(entry.operations[0].opcode, Opcode::custom_call);
    EXPECT_EQ(local.types.text(local.type_of(Program::result(entry.operations[0]))), "bf16[1,128,4,64]");
    EXPECT_EQ(program_cost(local).by_trips.foreign_flops, 4.0 * 4 * 128 * 8 * 64 * 128 / 2 / 8);
}

}  // namespace
}  // namespace dse::ir::partition
