#include "ir/partition/attention_factors.hpp"

#include <gtest/gtest.h>

#include "dse/ir/partition/partition.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
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

// cuDNN's, of operands with the sequence first: results have their heads first.
TEST(AttentionRule, OfCudnnFollowsItsDimensionNumbers) {
    Attention p;
    const ValueId q = p.argument({4, 128, 8, 64});
    const ValueId k = p.argument({4, 256, 2, 64});
    const auto text = [&](const std::vector<ValueId>& operands, const std::vector<TypeId>& results,
                          std::string_view name, const std::string& configuration) {
        const Operation& call =
            p.builder.append(p.main, {.opcode = Opcode::custom_call,
                                      .operands = operands,
                                      .results = results,
                                      .attribute = p.builder.attribute(
                                          ForeignCall{p.builder.name(name), p.builder.name(configuration)})});
        const auto rule = attention_rule({p.program, call}, *fused_attention(p.program, call));
        return rule ? dse::test::text(*rule) : "none";
    };
    const TypeId scratch = p.array({1000}, ElementType::u8);
    EXPECT_EQ(
        text({q, k, k}, {p.array({4, 8, 128, 64}), p.array({4, 8, 128}, ElementType::f32), scratch},
             "__cudnn$fmhaSoftmax", R"("bmm1_dot_dimension_numbers":{"lhs_batch_dimensions":["0","2"]})"),
        "([i, j, kl, m], [i, n, k, m], [i, n, k, m])->([i, kl, j, m], [i, kl, j], [o]) "
        "{i=4, j=128, k=2, l=4, m=64, n=256, o=1} need_replication={m, n}");
    const ValueId sums = p.argument({4, 8, 128});
    const std::string backward =
        R"("bmm1_grad_gemm1_dot_dimension_numbers":{"rhs_batch_dimensions":["0","2"]})";
    const std::vector<TypeId> gradients{p.array({4, 8, 128, 64}), p.array({4, 2, 256, 64}),
                                        p.array({4, 2, 256, 64}), scratch};
    EXPECT_EQ(text({q, k, k, sums, q, q}, gradients, "__cudnn$fmhaSoftmaxBackward", backward),
              "([i, j, kl, m], [i, n, k, m], [i, n, k, m], [i, kl, j], [i, j, kl, m], [i, j, kl, m])->"
              "([i, kl, j, m], [i, k, n, m], [i, k, n, m], [o]) "
              "{i=4, j=128, k=2, l=4, m=64, n=256, o=1} need_replication={j, m, n}");
    // The gradient of a bias is a sum over batches.
    std::vector<TypeId> more = gradients;
    more.push_back(p.array({1, 8, 128, 256}));
    EXPECT_EQ(text({q, k, k, sums, q, q}, more, "__cudnn$fmhaScaleBiasSoftmaxBackward", backward), "none");
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
