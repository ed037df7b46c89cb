#include "frontend/template/adapters.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/config/library.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/graph/totals.hpp"
#include "frontend/template/small_template.hpp"
#include "frontend/template/weight_storage.hpp"
#include "support/source_dir.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MemoryKind;
using graph::MeshAxis;

// Two products: the first is split over tp along its result, the second along what it sums.
constexpr const char* mlp = R"(
name: small
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: [cp, tp if sequence_parallel]}}
blocks:
  layer:
    parameters:
      w_up: {shape: [h, f], split: {1: tp}}
      w_down: {shape: [f, h], split: {0: tp}}
    operators:
      - up = einsum("bsh,hf->bsf", x, w_up)
      - act = gelu(up)
      - y = einsum("bsf,fh->bsh", act, w_down)
    output: y
)";

/// \param targets  as in graph::Adapter
BlockPlans plans_of(test::SmallTemplate& small, const std::string& targets, AxisSet active = {}) {
    small.options.adapter.rank = 4;
    small.options.adapter.targets = targets;
    BlockPlans plans = small.plan(small.block("layer"), active);
    EXPECT_EQ(small.diagnostics.text(), "");
    return plans;
}

/// x W + s (x A) B beside the first product. Going back: the gradient of the scaled term, B's, that of x A,
/// A's and x's; of the frozen products only those of their inputs.
TEST(Adapters, AddTwoProductsBesideAFrozenOne) {
    test::SmallTemplate small{mlp};
    const BlockPlans plans = plans_of(small, "w_up");
    EXPECT_EQ(small.steps(plans.forward), "up.base, up.low, up.high, up, act, y");
    EXPECT_EQ(small.steps(plans.backward),
              "d_act, d_up, d_up.high, d_up.low, d_w_up.b, d_x, d_w_up.a, d_x, add d_x");
    ASSERT_EQ(plans.backward.gradients.size(), 2);
}

/// Two products of an adapter forward, and two for each of them going back, run in modules of their own.
TEST(Adapters, LaunchTheirProductsByAFactorOfTheirOwn) {
    const auto launches = [](double factor) {
        test::SmallTemplate small{mlp};
        small.options.stack.launch_factor = 10;
        small.options.stack.adapter_launch_factor = factor;
        const BlockPlans plans = plans_of(small, "w_up");
        return std::pair{plans.forward.launches.kernels, plans.backward.launches.kernels};
    };
    const auto [forward, backward] = launches(0);
    EXPECT_EQ(launches(10), std::pair(forward, backward));
    EXPECT_EQ(launches(2), std::pair(forward - 2 * 8, backward - 4 * 8));
}

/// What an adapter adds to a product is one kernel of PyTorch's, launched once, where no compiler sees it:
/// the product s z with its copy (each read 1.5 times, two kernels) and the sum, in one direction of both.
TEST(Adapters, RunOperatorByOperatorWhereNoCompilerSeesThem) {
    const auto plans = [](bool eager) {
        test::SmallTemplate small{mlp};
        small.options.stack.compiled = true;
        small.options.stack.launch_factor = 10;
        small.options.stack.eager_adapters = eager;
        return plans_of(small, "w_up");
    };
    const BlockPlans fused = plans(false);
    const BlockPlans eager = plans(true);
    const auto sum = [](const BlockPlans& made) {
        return std::get<ComputeFormula>(made.forward.steps[3].work);
    };
    EXPECT_EQ(sum(eager).kernels, 2.0);
    EXPECT_EQ(sum(fused).kernels, 1.0);
    for (const Amount ComputeFormula::*traffic : {&ComputeFormula::read, &ComputeFormula::written}) {
        for (std::size_t i = 0; i < (sum(fused).*traffic).terms.size(); ++i) {
            const double more = traffic == &ComputeFormula::read ? 1.5 : 2.0;
            EXPECT_EQ((sum(eager).*traffic).terms[i].factor, more * (sum(fused).*traffic).terms[i].factor);
        }
    }
    // Two launches of the sum, not ten of one.
    EXPECT_EQ(eager.forward.launches.kernels, fused.forward.launches.kernels - 10 + 2);
    EXPECT_EQ(eager.backward.launches.kernels, fused.backward.launches.kernels - 10 + 1);
}

/// Frozen products read their inputs only in the forward pass: x is kept for A, x A for B, and the input of
/// the activation; act is kept only if an adapter reads it.
TEST(Adapters, InputsOfFrozenProductsAreNotKept) {
    test::SmallTemplate small{mlp};
    const Block block = [&] {
        small.options.adapter.rank = 4;
        small.options.adapter.targets = "w_up";
        return small.block("layer");
    }();
    EXPECT_EQ(small.saved(block, small.plan(block, {}).forward), "x up.low up");
    small.options.adapter.targets = "";
    const Block both = small.block("layer");
    EXPECT_EQ(small.saved(both, small.plan(both, {}).forward), "x up.low up act y.low");
}

/// Of the first product the rank is split and gathered; of the second, x A is a sum over the group, and the
/// result goes from a split of h to one of the sequence.
TEST(Adapters, AreDistributedLikeTheirProducts) {
    test::SmallTemplate small{mlp};
    small.options.stack.adapter_all_to_all = true;
    const BlockPlans plans = plans_of(small, "", MeshAxis::tensor);
    EXPECT_EQ(small.steps(plans.forward),
              "all_gather x, up.base, up.low, all_gather up.low, up.high, up, act, y.base, y.low, "
              "all_reduce y.low, y.high, all_to_all y.high, reduce_scatter y.base, y");
    test::SmallTemplate whole{mlp};
    const BlockPlans gathered = plans_of(whole, "w_down", MeshAxis::tensor);
    EXPECT_EQ(whole.steps(gathered.forward),
              "all_gather x, up, act, y.base, y.low, all_reduce y.low, y.high, all_gather y.high, "
              "slice y.gathered, reduce_scatter y.base, y");
}

/// Without a split sequence nothing is scattered: the result of the adapter is gathered, that of the product
/// summed.
TEST(Adapters, WithoutSequenceParallelismResultsAreWhole) {
    test::SmallTemplate small{mlp};
    small.options.sequence_parallel = false;
    small.options.stack.adapter_all_to_all = true;
    const BlockPlans plans = plans_of(small, "w_down", MeshAxis::tensor);
    EXPECT_EQ(small.steps(plans.forward),
              "up, act, y.base, y.low, all_reduce y.low, y.high, all_gather y.high, all_reduce y.base, y");
}

/// Dropout works on what the frozen product gathers; the gradients of x from both are reduced at once.
TEST(Adapters, DropoutStandsBeforeTheFirstFactor) {
    test::SmallTemplate small{mlp};
    small.options.adapter.dropout = true;
    const BlockPlans plans = plans_of(small, "w_up", MeshAxis::tensor);
    EXPECT_EQ(small.steps(plans.forward),
              "all_gather x, up.base, up.dropped, up.low, all_gather up.low, up.high, up, act, y, "
              "reduce_scatter y");
    EXPECT_EQ(small.steps(plans.backward),
              "all_gather d_y, d_act, d_up, d_up.high, all_gather up.low, d_up.low, reduce_scatter d_up.low, "
              "d_w_up.b, d_x, d_w_up.a, d_x, add d_x, reduce_scatter d_x");
}

/// Each product of a weight in four bits dequantizes it first, in both directions.
TEST(Adapters, FourBitWeightsAreDequantizedForEachProduct) {
    test::SmallTemplate small{mlp};
    small.options.adapter.frozen_weights = graph::FrozenWeights::nf4;
    const BlockPlans plans = plans_of(small, "w_down");
    EXPECT_EQ(small.steps(plans.forward),
              "dequantize w_up, up, act, dequantize w_down, y.base, y.low, y.high, y");
    EXPECT_EQ(small.steps(plans.backward),
              "d_y.part, d_y.low, d_w_down.b, d_act, d_w_down.a, dequantize w_down, d_act, add d_act, d_up, "
              "dequantize w_up, d_x");
}

/// Where products have another 16-bit format than the one that was quantized, the widened weight is cast.
TEST(Adapters, FourBitWeightsMayBeCopiedTwice) {
    test::SmallTemplate small{mlp};
    small.options.adapter.frozen_weights = graph::FrozenWeights::nf4;
    const auto widening = [&] {
        const PassPlan plan = plans_of(small, "w_down").forward;
        const Numbers numbers = small.numbers(1, 1);
        graph::Work work;
        evaluate(plan.steps.front().work, numbers, work);
        const auto& compute = std::get<graph::Compute>(work);
        return std::tuple{compute.written.value(), evaluate(plan.steps.front().workspace, numbers),
                          compute.kernels, plan.launches.kernels};
    };
    const auto [written, memory, kernels, launches] = widening();
    EXPECT_EQ(memory, written) << "what it writes";
    EXPECT_EQ(kernels, 1.0);
    small.options.stack.dequantized_copies = 2;
    EXPECT_EQ(widening(), (std::tuple{2 * written, 2 * memory, 2.0, launches + 2.0})) << "of two weights";
}

/// bitsandbytes' products keep what they multiply, whether or not an adapter reads it going back.
TEST(Adapters, FourBitProductsMayKeepTheirInputs) {
    const auto saved = [](bool keeps, graph::FrozenWeights weights) {
        test::SmallTemplate small{mlp};
        small.options.stack.keeps_frozen_inputs = keeps;
        small.options.adapter.rank = 4;
        small.options.adapter.targets = "w_up";
        small.options.adapter.frozen_weights = weights;
        const Block block = small.block("layer");
        return small.saved(block, small.plan(block, {}).forward);
    };
    EXPECT_EQ(saved(false, graph::FrozenWeights::nf4), "x up.low up");
    EXPECT_EQ(saved(true, graph::FrozenWeights::nf4), "x up.low up act");
    EXPECT_EQ(saved(true, graph::FrozenWeights::compute), "x up.low up");
}

/// LitGPT's adapters of some of the projections of one product: autograd keeps what it copies to their
/// places.
TEST(Adapters, OfSomeProjectionsKeepWhatIsCopied) {
    constexpr std::string_view whole = "w_up)";
    std::string padded{mlp};
    padded.replace(padded.find(whole), whole.size(), "w_up, padded=f/2)");
    test::SmallTemplate small{padded};
    small.options.stack.compiled = false;
    const Block plain = small.block("layer");
    EXPECT_EQ(small.saved(plain, small.plan(plain, {}).forward), "x up act");
    small.options.adapter.rank = 4;
    small.options.adapter.targets = "w_up";
    const Block adapted = small.block("layer");
    EXPECT_EQ(small.saved(adapted, small.plan(adapted, {}).forward), "x up.low up up.copied");
    EXPECT_EQ(small.diagnostics.text(), "");
}

/// Lightning quantizes the head, too.
TEST(Adapters, FourBitsAreOfLayersUnlessTheHeadIsNarrow) {
    test::SmallTemplate small{mlp};
    small.options.adapter.rank = 4;
    small.options.adapter.frozen_weights = graph::FrozenWeights::nf4;
    const auto quantizes = [&](bool is_layer, bool narrow_head) {
        small.options.adapter.targets = "w_up";
        small.options.stack.narrow_head = narrow_head;
        Block block = small.block("layer");
        for (Tensor& tensor : block.tensors) {
            if (tensor.role == TensorRole::parameter) tensor.storage = Storage::parameter;
        }
        mark_weights(block, small.options, is_layer);
        return std::any_of(block.tensors.begin(), block.tensors.end(),
                           [](const Tensor& tensor) { return tensor.quantized; });
    };
    EXPECT_TRUE(quantizes(true, false));
    EXPECT_FALSE(quantizes(false, false));
    EXPECT_TRUE(quantizes(false, true));
}

/// Llama 3 8B on one device, or several.
class FineTuning : public testing::Test {
  protected:
    FineTuning() {
        spec.model = "llama3_8b";
        spec.global_batch = 16;
        spec.sequence = 256;
        spec.layout.microbatch = 16;
        spec.stack.zero = 0;
    }

    const graph::Graph& build(std::int64_t devices = 1) {
        return frontend.build(spec, graph::resolve(spec.layout, devices, spec.global_batch));
    }
    double flop(std::int64_t devices = 1) { return graph::totals(build(devices)).model_flop.value(); }
    /// Bytes of one kind that the first stage always holds.
    double resident(MemoryKind kind, std::int64_t devices = 1) {
        const graph::Graph& graph = build(devices);
        double bytes = 0.0;
        for (const graph::BufferId id : graph.programs.front().resident) {
            const graph::Buffer& buffer = graph.buffers[id.index()];
            if (buffer.kind == kind) bytes += buffer.size.value();
        }
        return bytes;
    }
    std::string refusal(std::int64_t devices = 1) {
        try {
            build(devices);
        } catch (const ModelError& error) {
            return error.what();
        }
        return "";
    }

    // h 4096, 32 heads and 8 key-value heads of 128, f 14336, 32 layers, vocabulary 128256.
    static constexpr double of_layer = 4096.0 * 6144 + 4096.0 * 4096 + 4096.0 * 28672 + 14336.0 * 4096;
    static constexpr double of_layers = 32 * of_layer;
    static constexpr double of_head = 4096.0 * 128256;
    static constexpr double of_norms = 65 * 4096.0;
    // Rank 16 beside all four products of a layer.
    static constexpr double adapters =
        32 * 16.0 * ((4096 + 6144) + (4096 + 4096) + (4096 + 28672) + (14336 + 4096));
    static constexpr double tokens = 16 * 256.0;

    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec;
};

/// A frozen weight has no gradient: two of its six operations a token are left out. A factor of an adapter
/// has all six.
TEST_F(FineTuning, LeavesOutTheGradientsOfWeights) {
    const double all = flop();
    spec.adapter.rank = 16;
    EXPECT_DOUBLE_EQ(all - flop(), tokens * (2 * (of_layers + of_head) - 6 * adapters));
    const double adapted = flop();
    spec.layout.pp = 4;
    spec.layout.microbatch = 1;
    EXPECT_DOUBLE_EQ(flop(4), adapted);
    spec.layout.schedule = graph::ScheduleKind::zb_h1;
    EXPECT_DOUBLE_EQ(flop(4), adapted);
}

/// Weights in bf16; of adapters a gradient, a master copy and two moments in fp32 as well.
TEST_F(FineTuning, OnlyAdaptersHaveStates) {
    spec.adapter.rank = 16;
    const double frozen = of_layers + 2 * of_head + of_norms;
    EXPECT_EQ(resident(MemoryKind::parameters), 2 * frozen + 2 * adapters);
    EXPECT_EQ(resident(MemoryKind::gradients), 4 * adapters);
    EXPECT_EQ(resident(MemoryKind::optimizer), 12 * adapters);
    spec.layout.microbatch = 8;
    // FSDP shards all of them; ZeRO-1 only what is updated.
    spec.stack.zero = 3;
    EXPECT_EQ(resident(MemoryKind::parameters, 2), frozen + adapters);
    EXPECT_EQ(resident(MemoryKind::optimizer, 2), 6 * adapters);
    spec.stack.zero = 1;
    EXPECT_EQ(resident(MemoryKind::parameters, 2), 2 * frozen + 2 * adapters);
    EXPECT_EQ(resident(MemoryKind::optimizer, 2), 6 * adapters);
}

/// A parameter that is trained whole beside them has states of its own, and its product all six operations.
TEST_F(FineTuning, TrainsNamedParametersWhole) {
    spec.adapter.rank = 16;
    const double adapted = flop();
    spec.adapter.trained = "w_embedding w_head";
    EXPECT_DOUBLE_EQ(flop() - adapted, tokens * 2 * of_head);
    // PEFT keeps the originals beside the copies that it trains.
    EXPECT_EQ(resident(MemoryKind::parameters), 2 * (of_layers + 4 * of_head + of_norms + adapters));
    EXPECT_EQ(resident(MemoryKind::gradients), 4 * (2 * of_head + adapters));
    EXPECT_EQ(resident(MemoryKind::optimizer), 12 * (2 * of_head + adapters));
    // Among the products of layers, such a weight has no adapter.
    spec.adapter.trained = "w_o";
    constexpr double of_o = 32 * 4096.0 * 4096;
    EXPECT_EQ(resident(MemoryKind::optimizer), 12 * (adapters - 32 * 16.0 * (4096 + 4096) + of_o));
}

/// The weights of layers: half a byte each, and a scale of 8 bits for 64 of them, with one of 32 bits for 256
/// scales (Dettmers et al. 2023).
TEST_F(FineTuning, FourBitWeightsTakeLessMemory) {
    spec.adapter.rank = 16;
    spec.adapter.frozen_weights = graph::FrozenWeights::nf4;
    EXPECT_EQ(resident(MemoryKind::parameters),
              of_layers * (0.5 + 1.0 / 64 + 1.0 / 4096) + 2 * (2 * of_head + of_norms) + 2 * adapters);
}

/// Data parallelism reduces the gradients of adapters alone, in fp32, and all of them at once.
TEST_F(FineTuning, ReducesTheGradientsOfAdapters) {
    spec.adapter.rank = 16;
    spec.layout.microbatch = 8;
    const graph::Graph& graph = build(2);
    std::vector<double> reduced;
    for (const graph::Item& item : graph.regions[graph.programs.front().finish.index()].items) {
        const auto* collective = std::get_if<graph::Collective>(&graph.works[item.work.index()]);
        if (collective != nullptr) reduced.push_back(collective->size.value());
    }
    EXPECT_EQ(reduced, std::vector<double>{4 * adapters});
}

/// Adapters beside the experts' products, one for each expert; the router has none.
TEST_F(FineTuning, ExpertsHaveAdaptersOfTheirOwn) {
    spec.model = "mixtral_8x7b";
    spec.adapter.rank = 16;
    spec.layout.ep = 2;
    spec.layout.microbatch = 8;
    EXPECT_GT(flop(2), 0.0);
    // h 4096, 32 and 8 heads of 128, f 14336, 8 experts in 32 layers.
    const double of_expert = (4096 + 28672) + (14336 + 4096);
    EXPECT_EQ(resident(MemoryKind::gradients, 2),
              4 * 32 * 16.0 * ((4096 + 6144) + (4096 + 4096) + 4 * of_expert));
}

TEST_F(FineTuning, RefusesWhatItCannotAdapt) {
    spec.adapter.rank = 16;
    spec.adapter.targets = "w_qkv w_out";
    EXPECT_EQ(refusal(),
              "adapter.targets: no product of model 'llama3_8b' has a weight 'w_out' (known: w_down, "
              "w_gate_up, w_head, w_o, w_qkv)");
    spec.adapter.targets = "";
    spec.adapter.trained = "w_embeding";
    EXPECT_EQ(refusal(),
              "adapter.trained: no parameter of model 'llama3_8b' is called 'w_embeding' (did you mean "
              "'w_embedding'?)");
    spec.adapter.targets = spec.adapter.trained = "w_o";
    EXPECT_EQ(refusal(), "adapter.targets: 'w_o' is trained whole (adapter.trained), so it has no adapter");
    spec.adapter.targets = spec.adapter.trained = "";
    spec.mode = graph::Mode::prefill;
    EXPECT_EQ(refusal(),
              "adapter.rank 16 with mode prefill: inference runs adapters merged into the weights (leave "
              "adapter out)");
    spec.mode = graph::Mode::training;
    spec.layout.tp = 32;  // splits neither the key-value heads nor the rank
    EXPECT_NE(refusal(32), "");
}

}  // namespace
}  // namespace dse::frontend
