// Also tests: readers/hlo/convolution_reader.cpp, readers/hlo/instruction_draft.cpp
// Also tests: readers/hlo/result_type.cpp, readers/hlo/opcodes.cpp

#include "ir/readers/hlo/attribute_reader.hpp"

#include "hlo_text.hpp"

namespace dse::ir {
namespace {

TEST(HloAttributes, OfConvolutions) {
    const Program program = hlo_instructions(
        "x = f32[1,8,9,4] parameter(0)\nw = f32[3,5,2,6] parameter(1)\nROOT y = f32[1,2,17,6] convolution(x, "
        "w), window={size=3x5 stride=2x1 "
        "pad=1_1x2_2 lhs_dilate=1x2 rhs_dilate=3x1 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f, "
        "feature_group_count=2");
    const auto* convolution = program.attribute_if<ConvolutionDimensions>(labelled(program, "y"));
    ASSERT_NE(convolution, nullptr);
    EXPECT_EQ(convolution->feature_groups, 2);
    EXPECT_EQ(convolution->input_feature, 3);
    EXPECT_EQ(convolution->kernel_spatial, (Sizes{0, 1}));
    EXPECT_EQ(convolution->kernel_output_feature, 3);
    ASSERT_EQ(convolution->window.size(), 2U);
    EXPECT_EQ(convolution->window[0].stride, 2);
    EXPECT_EQ(convolution->window[0].window_dilation, 3);
    EXPECT_EQ(convolution->window[1].pad_high, 2);
    EXPECT_EQ(convolution->window[1].base_dilation, 2);
    EXPECT_TRUE(convolution->window[1].reversed);
}

TEST(HloAttributes, OfMovements) {
    const Program program = hlo_instructions(R"(x = f32[6,8] parameter(0)
  z = f32[] constant(0)
  i = s32[] parameter(1)
  s = f32[2,3] slice(x), slice={[0:2], [1:7:2]}
  d = f32[1,8] dynamic-slice(x, i, i), dynamic_slice_sizes={1,8}
  p = f32[8,9] pad(x, z), padding=1_1_0x-1_2
  t = f32[8,6] transpose(x), dimensions={1,0}
  n = s32[4] iota(), iota_dimension=0
  g = f32[4,8] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,8})");
    EXPECT_EQ(program.attribute_if<SliceRanges>(labelled(program, "s"))->strides, (Sizes{1, 2}));
    EXPECT_EQ(program.attribute_if<SliceSizes>(labelled(program, "d"))->sizes, (Sizes{1, 8}));
    EXPECT_EQ(program.attribute_if<PadSizes>(labelled(program, "p"))->low, (Sizes{1, -1}));
    EXPECT_EQ(program.attribute_if<Dimensions>(labelled(program, "t"))->numbers, (Sizes{1, 0}));
    const auto* gather = program.attribute_if<GatherDimensions>(labelled(program, "g"));
    EXPECT_EQ(gather->index_vector, 1);
    EXPECT_EQ(gather->slice_sizes, (Sizes{1, 8}));
}

TEST(HloAttributes, OfCollectives) {
    const Program program = hlo_instructions(R"(x = f32[6,8] parameter(0)
  a = f32[6,16] all-gather(x), channel_id=3, replica_groups=[2,2]<=[4], dimensions={1}, use_global_device_ids=true
  b = f32[6,16] all-gather(x), replica_groups={}, dimensions={1}
  c = f32[6,16] all-gather(x), channel_id=1, dimensions={1}
  k = token[] after-all()
  s = (f32[6,8], u32[], token[]) send(x, k), channel_id=2, frontend_attributes={a="b",_xla_send_recv_source_target_pairs="{{0,1},{1,2}}"})");
    const auto* a = program.attribute_if<Communication>(labelled(program, "a"));
    EXPECT_EQ(a->mode, GroupMode::flattened_ids);
    EXPECT_EQ(a->channel, 3);
    EXPECT_EQ(a->dimension, 1);
    EXPECT_EQ(program.attribute_if<Communication>(labelled(program, "b"))->mode, GroupMode::cross_replica);
    EXPECT_EQ(program.attribute_if<Communication>(labelled(program, "c"))->mode,
              GroupMode::cross_replica_and_partition);
    EXPECT_EQ(program.attribute_if<Communication>(labelled(program, "s"))->pairs.size(), 2U);
}

TEST(HloAttributes, CollectivesMayHaveNoKernelsBesideThem) {
    const Program program = hlo_instructions(R"(x = f32[8,8] parameter(0)
  a = f32[8,8] all-reduce(x), replica_groups={{0,1}}, backend_config={"collective_backend_config":{"is_sync":true}}
  b = f32[8,8] all-reduce(x), replica_groups={{0,1}}, backend_config={"collective_backend_config":{"is_sync":false}}
  c = f32[8,8] all-reduce(x), replica_groups={{0,1}})");
    EXPECT_TRUE(labelled(program, "a").blocks);
    EXPECT_FALSE(labelled(program, "b").blocks);
    EXPECT_FALSE(labelled(program, "c").blocks);
}

TEST(HloAttributes, OfCustomCalls) {
    const Program program = hlo_instructions(R"(x = f32[2,2] parameter(0)
  a = f32[2,2] custom-call(x, x), custom_call_target="__cublas$gemm", backend_config={"alpha_real":1,"dot":{"k":["1"]}}
  b = f32[2,2] custom-call(x), custom_call_target="Sharding", sharding={devices=[2,1]<=[2]}
  c = f32[2,2] custom-call(x), custom_call_target="Sharding")");
    const auto* call = program.attribute_if<ForeignCall>(labelled(program, "a"));
    EXPECT_EQ(program.text(call->target), "__cublas$gemm");
    EXPECT_EQ(program.text(call->configuration), R"({"alpha_real":1,"dot":{"k":["1"]}})");
    EXPECT_EQ(labelled(program, "b").opcode, Opcode::sharding_constraint);
    EXPECT_EQ(program.text(labelled(program, "b").name), "custom-call");
    EXPECT_EQ(program.attribute_if<Resharding>(labelled(program, "b"))->sharding.dimensions.size(), 2U);
    EXPECT_EQ(labelled(program, "c").opcode, Opcode::custom_call);
}

TEST(HloAttributes, OfCalls) {
    const Program program = hlo_program(R"(f { x = f32[] parameter(0) }
g { x = f32[] parameter(0) }
ENTRY e {
  p = pred[] parameter(0)
  x = f32[] parameter(1)
  a = f32[] conditional(p, x, x), true_computation=f, false_computation=g
  b = f32[] conditional(p, x, x), branch_computations={f, %g}
  c = f32[] call(x), to_apply=f, is_composite=true, frontend_attributes={composite.name="my.op",composite.version="1"}
})");
    EXPECT_EQ(program.called(labelled(program, "a"))[1], ComputationId{1});
    EXPECT_EQ(program.called(labelled(program, "b"))[0], ComputationId{0});
    const Operation& c = labelled(program, "c");
    EXPECT_EQ(c.opcode, Opcode::composite);
    EXPECT_EQ(program.text(program.attribute_if<ForeignCall>(c)->target), "my.op");
}

TEST(HloAttributes, TheFrameworksNameIsTheLabel) {
    const auto label = [](const std::string& more) {
        const Program program =
            read_hlo(Source::text("HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n"
                                  "  ROOT neg.1 = f32[4] negate(x)" +
                                      more + "\n}\n",
                                  "t"));
        return std::string{program.text(program[program.entry].operations.back().label)};
    };
    EXPECT_EQ(label(""), "neg.1");
    EXPECT_EQ(label(", metadata={source_file=\"f.py\" source_line=3}"), "neg.1");
    EXPECT_EQ(label(", metadata={op_type=\"neg\" op_name=\"jit(f)/bse,ef->bsf/neg\" source_line=3}"),
              "jit(f)/bse,ef->bsf/neg");
    EXPECT_EQ(label(R"(, metadata={op_name="variables[\'w\']"})"), "variables['w']");
    EXPECT_EQ(label(", metadata={op_name=\"\"}"), "neg.1");
}

TEST(HloAttributes, TypesFollowWhereTheyAreNotStated) {
    const Program program = hlo_instructions(R"(x = f32[2,10] parameter(0)
  w = f32[10,3] parameter(1)
  d = dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  a = abs(d)
  l = compare(a, d), direction=LT
  s = select(l, a, d)
  t = tuple(s, l)
  e = get-tuple-element(t), index=1
  c = copy(e))");
    EXPECT_EQ(type_text(program, labelled(program, "d")), "f32[2,3]");
    EXPECT_EQ(type_text(program, labelled(program, "s")), "f32[2,3]");
    EXPECT_EQ(type_text(program, labelled(program, "t")), "(f32[2,3], pred[2,3])");
    EXPECT_EQ(type_text(program, labelled(program, "c")), "pred[2,3]");
}

TEST(HloAttributes, NonsenseIsRefusedWithItsReason) {
    const std::string inputs = "ENTRY e { x = f32[2,10] parameter(0)\nw = f32[9,3] parameter(1)\n";
    const auto reason = [&inputs](const std::string& line) { return hlo_refusal(inputs + line + "}"); };
    EXPECT_EQ(reason("y = f32[2,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
              "t.hlo:3:1: 'dot': the product contracts a dimension of 10 with one of 9");
    EXPECT_EQ(reason("y = f32[2,3] dot(x, w), lhs_contracting_dims={2}, rhs_contracting_dims={0}"),
              "t.hlo:3:1: 'dot': the product names a dimension that its operand does not have");
    EXPECT_EQ(reason("y = f32[2,3] dot(x)"), "t.hlo:3:1: 'dot': it takes at least 2 operands, but has 1");
    EXPECT_EQ(reason("y = f32[2] get-tuple-element(x), index=0"),
              "t.hlo:3:1: 'get-tuple-element': f32[2,10] has no element 0");
    EXPECT_EQ(reason("y = pred[2,10] compare(x, x), direction=TL"),
              "t.hlo:3:41: unknown direction 'TL' (did you mean 'LT'?)");
    EXPECT_EQ(reason("y = f32[2,10] fusion(x), kind=kLoop"),
              "t.hlo:3:1: 'fusion': it takes 1 computations, but has 0");
    EXPECT_EQ(reason("y = reshape(x)"),
              "t.hlo:3:1: the type of this 'reshape' is not stated and does not follow from its operands");
    EXPECT_NE(reason("y = f32[2,10] convolution(x, w), dim_labels=b0f_0io->b0f, window={size=1}")
                  .find("labels do not fit"),
              std::string::npos);
    EXPECT_NE(
        reason("y = f32[2,10] convolution(x, w), dim_labels=bf_io->bf, window={size=0}").find("at least 1"),
        std::string::npos);
}

// A value that a custom call carries, with its layout or without, in tuples or not.
TEST(HloAttributes, LiteralsOfCustomCallsArePassed) {
    for (const std::string literal :
         {"s32[2]{0} {1, 2}", "s32[2] {1, 2}", "f32[] 0.1", "pred[] true", "c64[] (1, -2)",
          "( s32[4]{0} {4, 128, 128, 3}, pred[4]{0:T(128)} {1, 0, 0, 0} )",
          "f32[2,2]{1,0} { { 1, 2 }, { 3, 4 } }"}) {
        const Program program = hlo_instructions(
            "p = f32[8] parameter(0)\nr = f32[8] custom-call(p), custom_call_target=\"foo\", literal=" +
            literal + ", backend_config=\"b\"");
        const auto* call = program.attribute_if<ForeignCall>(labelled(program, "r"));
        ASSERT_NE(call, nullptr) << literal;
        EXPECT_EQ(program.text(call->configuration), "\"b\"") << literal;
    }
}

}  // namespace
}  // namespace dse::ir
