#include "ir/program/trip_count.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "ir/readers/hlo/hlo_text.hpp"

namespace dse::ir {
namespace {

/// for (i = first; i direction limit; i += step), i an element of a tuple.
std::string loop(std::int64_t first, const std::string& step, std::int64_t limit,
                 const std::string& direction) {
    return fmt::format(R"(cond {{
  t = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant({})
  ROOT c = pred[] compare(i, n), direction={}
}}
body {{
  t = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[8] get-tuple-element(t), index=1
  s = s32[] constant(2)
  j = s32[] {}
  ROOT r = (s32[], f32[8]) tuple(j, x)
}}
ENTRY e {{
  x = f32[8] parameter(0)
  i = s32[] constant({})
  t = (s32[], f32[8]) tuple(i, x)
  ROOT w = (s32[], f32[8]) while(t), condition=cond, body=body
}})",
                       limit, direction, step, first);
}

std::optional<std::int64_t> trips(const std::string& text) {
    const Program program = hlo_program(text);
    return program.attribute_if<Loop>(labelled(program, "w"))->trip_count;
}

// By hand: 0, 2, 4, 6, 8 | 10 ends; ≤ 10 takes 10 as well; 3, 5, 7, 9; downwards 10, 8, …, 2 | 0 ends.
TEST(TripCount, FollowsFromTheCondition) {
    EXPECT_EQ(trips(loop(0, "add(i, s)", 10, "LT")), 5);
    EXPECT_EQ(trips(loop(0, "add(s, i)", 10, "LE")), 6);
    EXPECT_EQ(trips(loop(3, "add(i, s)", 10, "LT")), 4);
    EXPECT_EQ(trips(loop(10, "subtract(i, s)", 0, "GT")), 5);
    EXPECT_EQ(trips(loop(10, "subtract(i, s)", 0, "GE")), 6);
    EXPECT_EQ(trips(loop(0, "add(i, s)", 10, "NE")), 5);
    EXPECT_EQ(trips(loop(12, "add(i, s)", 10, "LT")), 0);
    EXPECT_EQ(trips(loop(4, "add(i, s)", 4, "EQ")), 1);
}

TEST(TripCount, IsUnknownWhereTheLoopDoesNotEndByCounting) {
    EXPECT_EQ(trips(loop(0, "add(i, s)", 9, "NE")), std::nullopt);
    EXPECT_EQ(trips(loop(0, "subtract(i, s)", 10, "LT")), std::nullopt);
    EXPECT_EQ(trips(loop(0, "multiply(i, s)", 10, "LT")), std::nullopt);
    EXPECT_EQ(trips(loop(0, "subtract(s, i)", 10, "LT")), std::nullopt);
    EXPECT_EQ(trips(loop(0, "add(i, i)", 10, "LT")), std::nullopt);
}

TEST(TripCount, WhatIsStatedCounts) {
    std::string text = loop(0, "add(i, s)", 10, "LT");
    text.insert(text.find("body=body") + 9, R"(, backend_config={"known_trip_count":{"n":"7"}})");
    EXPECT_EQ(trips(text), 7);
    text = loop(0, "add(i, s)", 10, "LT");
    text.insert(text.find("body=body") + 9, R"(, backend_config="{\"known_trip_count\":{\"n\":\"7\"}}")");
    EXPECT_EQ(trips(text), 7) << "as some texts escape it";
}

// 0, 2, 4, 6, 8: the condition says 5. Numbers behind the count are none either.
TEST(TripCount, WhatIsNoCountIsLeftToTheCondition) {
    for (const char* stated : {R"({"n":"-7"})", R"({"n":"x"},"known_init_step":{"init":"0","step":"3"})",
                               R"({"n":"7.5"})", R"({"n":"99999999999999999999"})", "{}"}) {
        std::string text = loop(0, "add(i, s)", 10, "LT");
        text.insert(text.find("body=body") + 9,
                    fmt::format(R"(, backend_config={{"known_trip_count":{}}})", stated));
        EXPECT_EQ(trips(text), 5) << stated;
    }
}

// The limit stands on the left, is carried unchanged, and the comparison and the sum are fused.
TEST(TripCount, LooksThroughFusionsCallsAndCopies) {
    EXPECT_EQ(trips(R"(less { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=GT }
cond { t = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(t), index=1
  n = s32[] get-tuple-element(t), index=0
  k = s32[] copy(n)
  ROOT c = pred[] fusion(k, i), kind=kLoop, calls=less }
next { i = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT j = s32[] add(one, i) }
body { t = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(t), index=1
  n = s32[] get-tuple-element(t), index=0
  j = s32[] call(i), to_apply=next
  ROOT r = (s32[], s32[]) tuple(n, j) }
make { n = s32[] parameter(0)
  z = s32[] constant(0)
  ROOT t = (s32[], s32[]) tuple(n, z) }
ENTRY e { n = s32[] constant(80)
  t = (s32[], s32[]) call(n), to_apply=make
  ROOT w = (s32[], s32[]) while(t), condition=cond, body=body })"),
              80);
}

// As inside a shard_map of JAX, where even the counter's sharding is stated.
TEST(TripCount, LooksThroughStatementsOfShardings) {
    EXPECT_EQ(trips(R"(cond { i = s32[] parameter(0)
  n = s32[] constant(11)
  k = s32[] custom-call(n), custom_call_target="Sharding", sharding={replicated}
  l = s32[] custom-call(i), custom_call_target="Sharding", sharding={replicated}
  ROOT c = pred[] compare(l, k), direction=LT }
body { i = s32[] parameter(0)
  s = s32[] constant(1)
  j = s32[] add(i, s)
  ROOT k = s32[] custom-call(j), custom_call_target="Sharding", sharding={replicated} }
ENTRY e { i = s32[] constant(0)
  ROOT w = s32[] while(i), condition=cond, body=body })"),
              11);
}

TEST(TripCount, OfALoopOverOneInteger) {
    EXPECT_EQ(trips(R"(cond { i = s32[] parameter(0)
  n = s32[] constant(5)
  ROOT c = pred[] compare(n, i), direction=GT }
body { i = s32[] parameter(0)
  s = s32[] constant(1)
  ROOT j = s32[] add(s, i) }
ENTRY e { i = s32[] constant(0)
  ROOT w = s32[] while(i), condition=cond, body=body })"),
              5);
}

TEST(TripCount, AnArgumentOfTheProgramIsNoConstant) {
    EXPECT_EQ(trips(R"(cond { i = s32[] parameter(0)
  n = s32[] constant(5)
  ROOT c = pred[] compare(i, n), direction=LT }
body { i = s32[] parameter(0)
  s = s32[] constant(1)
  ROOT j = s32[] add(s, i) }
ENTRY e { i = s32[] parameter(0)
  ROOT w = s32[] while(i), condition=cond, body=body })"),
              std::nullopt);
}

// Regions of MLIR see what is around them.
TEST(TripCount, NorIsOneThatALoopSeesAroundIt) {
    const Program program =
        read_mlir(Source::text(R"(func.func public @main(%x: tensor<i32>, %n: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}
)",
                               "loop.mlir"));
    for (const Operation& operation : program[program.entry].operations)
        if (operation.opcode == Opcode::while_loop) {
            EXPECT_EQ(program.attribute_if<Loop>(operation)->trip_count, std::nullopt);
        }
}

}  // namespace
}  // namespace dse::ir
