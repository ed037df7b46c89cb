#include "dse/frontend/template/formula.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;

const AxisSet tp{MeshAxis::tensor};
const AxisSet dp{MeshAxis::data};

/// Extents h/tp, h and 7 over sizes h = 24 on a mesh of tp 4, dp 2.
class Formula : public testing::Test {
  protected:
    Formula() {
        dimensions.add_symbol("h");
        split = extents.intern({dimensions.intern("h"), tp});
        whole = extents.intern({dimensions.intern("h"), {}});
        seven = extents.intern({dimensions.intern("7"), {}});
        of_split = extents.times(Extents::one, split);
        of_whole = extents.times(Extents::one, whole);
        of_seven = extents.times(Extents::one, seven);
        split_seven = extents.times(of_split, seven);
        numbers.mesh = graph::Mesh::dense(4, 1, 2, 1);
        evaluate_for(24);
        set_precisions(graph::SoftwareStack{}, numbers);
    }
    void evaluate_for(double h) {
        std::vector<double> dims(dimensions.size());
        dimensions.evaluate(std::vector<double>{1, 1, h}, dims);
        evaluate_extents(extents, dims, dimensions, numbers);
    }

    Dimensions dimensions;
    Extents extents;
    Numbers numbers;
    ExtentId split;
    ExtentId whole;
    ExtentId seven;
    ProductId of_split;
    ProductId of_whole;
    ProductId of_seven;
    ProductId split_seven;
};

TEST_F(Formula, ProductsAreThoseOfTheirExtents) {
    EXPECT_EQ(numbers.products, (std::vector<double>{1, 6, 24, 7, 42}));
    EXPECT_EQ(numbers.mean_products, numbers.products) << "without experts";
    EXPECT_EQ(extents.times(of_split, seven), split_seven) << "each once";
    EXPECT_NE(extents.times(of_seven, split), split_seven) << "the order of factors is kept";
    EXPECT_EQ(extents.products()[split_seven.index()].rest, of_split);
}

/// The fullest device has half as many rows again as the mean.
TEST_F(Formula, ProductsCountTheFullestDeviceAndTheMean) {
    numbers.loads.assign(dimensions.size(), 1.0);
    numbers.loads[dimensions.intern("h").index()] = 1.5;
    evaluate_for(24);
    EXPECT_EQ(numbers.products[split_seven.index()], 63);
    EXPECT_EQ(numbers.mean_products[split_seven.index()], 42);
}

TEST_F(Formula, ExtentsAreDividedByTheirAxes) {
    EXPECT_EQ(numbers.extents[split.index()], 6);
    EXPECT_EQ(numbers.extents[whole.index()], 24);
    EXPECT_EQ(extents.intern({dimensions.intern("h"), tp}), split) << "each once";
    EXPECT_EQ(extents.all().size(), 3U);
}

TEST_F(Formula, ExtentsThatDoNotDivideAreNoLayout) {
    try {
        evaluate_for(26);
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(), "dimension h = 26 is not divisible by tp 4");
    }
    EXPECT_THROW(evaluate_for(2), ModelError);
    EXPECT_THROW(evaluate_for(0), ModelError);
    EXPECT_THROW(evaluate_for(std::numeric_limits<double>::quiet_NaN()), ModelError);
}

/// Of 24 bytes with a quarter exposed, 18 lie beside computation and 6 wait.
TEST_F(Formula, CollectivesAreDividedByWhatIsExposed) {
    numbers.exposed_dp = 0.25;
    CollectiveFormula formula{graph::CollectiveKind::all_reduce, dp, {}};
    formula.size.terms = {{of_whole, Storage::mask, 1.0, {}}};
    const auto evaluated = [&](Exposure part) {
        formula.part = part;
        graph::Work work;
        evaluate(WorkFormula{formula}, numbers, work);
        return std::get<graph::Collective>(work);
    };
    EXPECT_EQ(evaluated(Exposure::whole).size.value(), 24);
    EXPECT_EQ(evaluated(Exposure::whole).exposed, 0.25);
    EXPECT_EQ(evaluated(Exposure::hidden).size.value(), 18);
    EXPECT_EQ(evaluated(Exposure::hidden).exposed, 0.0);
    EXPECT_EQ(evaluated(Exposure::exposed).size.value(), 6);
    EXPECT_EQ(evaluated(Exposure::exposed).exposed, 1.0);
    for (const Exposure part : {Exposure::whole, Exposure::hidden, Exposure::exposed})
        EXPECT_FALSE(evaluated(part).slows_kernels);
    formula.dispatch_rate = BytesPerSecond{3.0};
    EXPECT_EQ(evaluated(Exposure::whole).dispatch, graph::Dispatch{}) << "not of experts";
    formula.choices = seven;
    numbers.experts_in_turn = 14.0;
    EXPECT_EQ(evaluated(Exposure::whole).dispatch, (graph::Dispatch{7.0, 14.0, BytesPerSecond{3.0}}));
}

TEST_F(Formula, KernelsRunForEachExpert) {
    ComputeFormula formula;
    formula.kernels = 3;
    formula.times = seven;
    graph::Work work;
    evaluate(WorkFormula{formula}, numbers, work);
    EXPECT_EQ(std::get<graph::Compute>(work).kernels, 21);
}

/// The extent of k is 7, that is, 128 halved log2(128 / 7) = 4.19 times.
TEST_F(Formula, NarrowHeadsHaveAFactorForEachHalving) {
    ComputeFormula formula;
    formula.is_gemm = true;
    formula.k = of_seven;
    formula.efficiency = 0.5;
    formula.narrow = 1.2;
    graph::Work work;
    evaluate(WorkFormula{formula}, numbers, work);
    EXPECT_DOUBLE_EQ(std::get<graph::Compute>(work).efficiency, 0.5 * std::pow(1.2, std::log2(128.0 / 7.0)));
}

/// The extent of n is 7: with a ramp of 21 keys the rate is a quarter of what it is without one.
TEST_F(Formula, ShortSequencesSlowKernelsThatRampUp) {
    ComputeFormula formula;
    formula.is_gemm = true;
    formula.n = of_seven;
    formula.efficiency = 0.8;
    formula.ramp = 21;
    graph::Work work;
    evaluate(WorkFormula{formula}, numbers, work);
    EXPECT_DOUBLE_EQ(std::get<graph::Compute>(work).efficiency, 0.2);
}

TEST_F(Formula, AmountsAddUpTerms) {
    // 6·7 bf16 + 3·24 fp32 = 84 + 288.
    Amount amount;
    amount.terms = {{split_seven, Storage::activation, 1.0, {}}, {of_whole, Storage::full, 3.0, {}}};
    EXPECT_EQ(evaluate(amount, numbers), 372);
    // Shared by two devices, and rounded up to whole bytes.
    for (Amount::Term& term : amount.terms) term.shared = dp;
    EXPECT_EQ(evaluate(amount, numbers), 186);
    amount.terms = {{of_seven, Storage::mask, 1.0, dp}};
    EXPECT_EQ(evaluate(amount, numbers), 4);
    EXPECT_EQ(evaluate(Amount{}, numbers), 0);
}

TEST_F(Formula, ComputeHasAMatrixProductOrNone) {
    ComputeFormula gemm;
    gemm.op_class = graph::OpClass::gemm;
    gemm.is_gemm = true;
    gemm.m = split_seven;
    gemm.k = of_whole;
    gemm.model_factor = 0.5;
    gemm.executed_factor = 1.0;
    gemm.read.terms = {{of_split, Storage::parameter, 1.0, {}}};
    graph::Work work;
    evaluate(gemm, numbers, work);
    const auto& compute = std::get<graph::Compute>(work);
    EXPECT_EQ(compute.gemm.m, 42);
    EXPECT_EQ(compute.gemm.n, 1) << "an empty product";
    EXPECT_EQ(compute.executed_flop.value(), 2 * 42 * 24);
    EXPECT_EQ(compute.model_flop.value(), 42 * 24);
    EXPECT_EQ(compute.read.value(), 12);

    gemm.is_gemm = false;
    evaluate(gemm, numbers, work);
    EXPECT_EQ(std::get<graph::Compute>(work).executed_flop.value(), 0);
}

TEST_F(Formula, CollectivesAreExposedByTheirAxes) {
    numbers.exposed_tp = 0.25;
    numbers.exposed_dp = 0.75;
    numbers.exposed_pp = 0.5;
    Amount bytes;
    bytes.terms = {{of_whole, Storage::activation, 1.0, {}}};
    graph::Work work;
    evaluate(CollectiveFormula{graph::CollectiveKind::all_gather, tp, bytes}, numbers, work);
    EXPECT_EQ(std::get<graph::Collective>(work).exposed, 0.25);
    EXPECT_EQ(std::get<graph::Collective>(work).size.value(), 48);
    evaluate(CollectiveFormula{graph::CollectiveKind::all_reduce, dp, bytes}, numbers, work);
    EXPECT_EQ(std::get<graph::Collective>(work).exposed, 0.75);
    evaluate(TransferFormula{bytes}, numbers, work);
    EXPECT_EQ(std::get<graph::Transfer>(work).exposed, 0.5);
    evaluate(CopyFormula{bytes, graph::CopyDirection::to_device}, numbers, work);
    EXPECT_EQ(std::get<graph::Copy>(work).size.value(), 48);
    EXPECT_EQ(std::get<graph::Copy>(work).direction, graph::CopyDirection::to_device);
    evaluate(HostUpdateFormula{bytes, {}}, numbers, work);
    EXPECT_EQ(std::get<graph::HostUpdate>(work).read.value(), 48);
    EXPECT_EQ(std::get<graph::HostUpdate>(work).written.value(), 0);
    evaluate(LaunchFormula{3, 0, {}}, numbers, work);
    EXPECT_EQ(std::get<graph::Launch>(work).kernels, 3);
    evaluate(LaunchFormula{3, 2, seven}, numbers, work);
    EXPECT_EQ(std::get<graph::Launch>(work).kernels, 17) << "two more for each of seven experts";
}

/// Another microbatch hides dispatching in three of four passes; in the fourth all of it is exposed.
TEST_F(Formula, PassesWithoutPartnerExposeTheDispatch) {
    numbers.unpaired_ep = 0.25;
    Amount bytes;
    bytes.terms = {{of_whole, Storage::activation, 1.0, {}}};
    const CollectiveFormula dispatch{graph::CollectiveKind::all_to_all, AxisSet{MeshAxis::expert}, bytes};
    graph::Work work;
    numbers.exposed_ep = 0.0;
    evaluate(dispatch, numbers, work);
    EXPECT_EQ(std::get<graph::Collective>(work).exposed, 0.25);
    EXPECT_TRUE(std::get<graph::Collective>(work).slows_kernels) << "no share was measured";
    numbers.exposed_ep = 0.2;
    evaluate(dispatch, numbers, work);
    EXPECT_DOUBLE_EQ(std::get<graph::Collective>(work).exposed, 0.4);
    EXPECT_FALSE(std::get<graph::Collective>(work).slows_kernels);
    numbers.exposed_tp = 0.5;
    evaluate(CollectiveFormula{graph::CollectiveKind::all_gather, tp, bytes}, numbers, work);
    EXPECT_EQ(std::get<graph::Collective>(work).exposed, 0.5);
}

/// Bytes of an element: eight-bit products keep parameters and activations in sixteen bits.
TEST_F(Formula, StorageFollowsThePrecision) {
    const auto bytes = [&](graph::Precision precision, graph::Precision gradient, Storage storage) {
        graph::SoftwareStack stack;
        stack.precision = precision;
        stack.gradient_precision = gradient;
        set_precisions(stack, numbers);
        return numbers.bytes[static_cast<std::size_t>(storage)];
    };
    using graph::Precision;
    EXPECT_EQ(bytes(Precision::bf16, Precision::fp32, Storage::activation), 2);
    EXPECT_EQ(bytes(Precision::bf16, Precision::fp32, Storage::parameter), 2);
    EXPECT_EQ(bytes(Precision::bf16, Precision::fp32, Storage::gradient), 4);
    EXPECT_EQ(bytes(Precision::bf16, Precision::bf16, Storage::gradient), 2);
    EXPECT_EQ(bytes(Precision::bf16, Precision::bf16, Storage::reduced), 2);
    EXPECT_EQ(bytes(Precision::fp32, Precision::fp32, Storage::activation), 4);
    EXPECT_EQ(bytes(Precision::fp8, Precision::fp32, Storage::activation), 2);
    EXPECT_EQ(bytes(Precision::fp8, Precision::fp32, Storage::full), 4);
    EXPECT_EQ(bytes(Precision::fp8, Precision::fp32, Storage::mask), 1);
    EXPECT_EQ(bytes(Precision::fp8, Precision::fp32, Storage::index), 8);
    EXPECT_EQ(numbers.gemm_precision, Precision::fp8);
    EXPECT_EQ(numbers.activation_precision, Precision::bf16);
}

graph::Serving cached_in(graph::CachePrecision precision) {
    graph::Serving serving;
    serving.kv_cache_precision = precision;
    return serving;
}

TEST_F(Formula, InferenceStoresParametersAsTheyAreMultiplied) {
    graph::SoftwareStack stack;
    stack.precision = graph::Precision::fp8;
    const auto bytes = [&](Storage storage) { return numbers.bytes[static_cast<std::size_t>(storage)]; };
    set_precisions(stack, numbers);
    EXPECT_EQ(bytes(Storage::weight), 2) << "training casts a copy in bf16";
    set_precisions(stack, graph::Serving{}, numbers);
    EXPECT_EQ(bytes(Storage::weight), 1);
    EXPECT_EQ(bytes(Storage::activation), 2);
    EXPECT_EQ(bytes(Storage::cache), 2) << "as activations";
    set_precisions(stack, cached_in(graph::CachePrecision::fp4), numbers);
    EXPECT_EQ(bytes(Storage::cache), 0.5);
    stack.precision = graph::Precision::int8;  // W8A8
    set_precisions(stack, cached_in(graph::CachePrecision::int8), numbers);
    EXPECT_EQ(bytes(Storage::weight), 1);
    EXPECT_EQ(bytes(Storage::cast), 1) << "what a product reads of activations";
    EXPECT_EQ(bytes(Storage::activation), 2);
    EXPECT_EQ(bytes(Storage::cache), 1);
    EXPECT_EQ(numbers.gemm_precision, graph::Precision::int8);
    EXPECT_EQ(numbers.activation_precision, graph::Precision::bf16);
}

/// Half a byte and a scale of eight bits for 32 weights (MXFP4); activations and products keep 16 bits.
TEST_F(Formula, InferenceStoresWeightsInFewerBits) {
    graph::SoftwareStack stack;
    stack.precision = graph::Precision::bf16;
    stack.weight_bits = 4.25;
    const auto bytes = [&](Storage storage) { return numbers.bytes[static_cast<std::size_t>(storage)]; };
    set_precisions(stack, graph::Serving{}, numbers);
    EXPECT_EQ(bytes(Storage::weight), 0.53125);
    EXPECT_EQ(bytes(Storage::parameter), 2);
    EXPECT_EQ(bytes(Storage::activation), 2);
    EXPECT_EQ(numbers.gemm_precision, graph::Precision::bf16);
    set_precisions(stack, numbers);
    EXPECT_EQ(bytes(Storage::weight), 2) << "in training";
}

/// NVFP4: half a byte and a sixteenth.
TEST_F(Formula, InferenceStoresScalesOfFourBits) {
    graph::SoftwareStack stack;
    stack.precision = graph::Precision::fp4;
    const auto bytes = [&](Storage storage) { return numbers.bytes[static_cast<std::size_t>(storage)]; };
    set_precisions(stack, cached_in(graph::CachePrecision::fp4), numbers);
    EXPECT_EQ(bytes(Storage::weight), 0.5625);
    EXPECT_EQ(bytes(Storage::cache), 0.5) << "of a cache no scales are known";
    stack.weight_bits = 4.25;
    set_precisions(stack, graph::Serving{}, numbers);
    EXPECT_EQ(bytes(Storage::weight), 0.53125) << "as stated (MXFP4)";
}

TEST_F(Formula, ReadsTheExpertsThatAreTouched) {
    Amount amount;
    amount.terms.push_back({of_seven, Storage::mask, 10.0, {}});
    EXPECT_EQ(evaluate(amount, numbers), 70);
    amount.terms.front().touched = dimensions.intern("h");
    numbers.touched.assign(dimensions.size(), 1.0);
    numbers.touched[dimensions.intern("h").index()] = 0.5;
    EXPECT_EQ(evaluate(amount, numbers), 35);
}

/// 6 sequences on tp 4: one and a half each, where a batch is what is shared out.
TEST_F(Formula, ABatchNeedNotDivideInDecode) {
    const ExtentId batch = extents.intern({dimensions.intern("b"), tp});
    std::vector<double> dims(dimensions.size());
    dimensions.evaluate(std::vector<double>{6, 1, 24}, dims);
    EXPECT_THROW(evaluate_extents(extents, dims, dimensions, numbers), ModelError);
    numbers.shares_sequences = true;
    evaluate_extents(extents, dims, dimensions, numbers);
    EXPECT_EQ(numbers.extents[batch.index()], 1.5);
}

}  // namespace
}  // namespace dse::frontend
