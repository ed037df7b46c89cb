// What is derived for a layer of experts: how its tensors lie in the two foldings, and what is sent where.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "frontend/template/narrow_products.hpp"
#include "small_template.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using test::SmallTemplate;

constexpr std::string_view experts_template = R"(
name: experts
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: [cp, tp]}}
blocks:
  layer:
    parameters:
      w_router: {shape: [h, 16]}
      w_up: {shape: [16, h, 2*f], split: {0: ep, 2: etp}}
      w_down: {shape: [16, f, h], split: {0: ep, 1: etp}}
    operators:
      - scores = einsum("bsh,he->bse", x, w_router)
      - w = top_k(scores, top=2)
      - rows = dispatch(x, w, experts=16)
      - p = dispatch_weights(w, experts=16)
      - u = einsum("ech,ehf->ecf", rows, w_up)
      - g = weighted_swiglu(u, p, width=f)
      - mixed = einsum("ecf,efh->ech", g, w_down)
      - z = combine(mixed, w)
      - y = add(x, z)
    output: y
)";

const AxisSet everything = graph::attention_axes | graph::expert_axes;

std::string words(AxisSet set) {
    std::string result;
    for (const MeshAxis axis : graph::Mesh{}.order) {
        if (set.contains(axis)) result += (result.empty() ? "" : "+") + std::string(short_name(axis));
    }
    return result.empty() ? "-" : result;
}

class ExpertPlan : public testing::Test {
  protected:
    [[nodiscard]] std::string layout(const Sharding& sharding, std::string_view name) const {
        for (std::size_t i = 0; i < block_.tensors.size(); ++i) {
            if (block_.tensors[i].name != name) continue;
            std::string result;
            for (const AxisSet split : sharding.layouts[i].split)
                result += (result.empty() ? "" : " ") + words(split);
            const AxisSet partial = sharding.layouts[i].partial;
            return partial.empty() ? result : result + " | " + words(partial);
        }
        return "no such tensor";
    }

    SmallTemplate small_{experts_template};
    Block block_{small_.block("layer")};
};

TEST_F(ExpertPlan, TensorsLieInOneFoldingOrTheOther) {
    const Sharding sharding = small_.shard(block_, everything);
    ASSERT_EQ(small_.diagnostics.text(), "");
    EXPECT_EQ(layout(sharding, "scores"), "dp tp+cp -");
    EXPECT_EQ(layout(sharding, "rows"), "- etp+ep+edp -") << "every device has those of its own tokens";
    EXPECT_EQ(layout(sharding, "p"), "- etp+ep+edp");
    EXPECT_EQ(layout(sharding, "u"), "ep edp etp");
    EXPECT_EQ(layout(sharding, "g"), "ep edp etp");
    EXPECT_EQ(layout(sharding, "mixed"), "ep edp - | etp");
    EXPECT_EQ(layout(sharding, "z"), "dp tp+cp -");
    EXPECT_EQ(layout(sharding, "y"), "dp tp+cp -");
}

TEST_F(ExpertPlan, RowsOfExpertsAreWhatIsBetweenTheTwoExchanges) {
    const std::vector<bool> of_rows = rows_of_experts(block_);
    const std::set<std::string> between{"rows", "p", "u", "g", "mixed"};
    for (const char* name :
         {"x", "w_up", "w_down", "scores", "w", "rows", "p", "u", "g", "mixed", "z", "y"}) {
        const auto tensor = std::ranges::find(block_.tensors, name, &Tensor::name);
        ASSERT_NE(tensor, block_.tensors.end()) << name;
        EXPECT_EQ(of_rows[static_cast<std::size_t>(tensor - block_.tensors.begin())], between.contains(name))
            << name;
    }
}

TEST_F(ExpertPlan, TokensNotYetSplitAreSplitBeforeTheyGo) {
    small_.source.boundary.splits.pop_back();  // tp; a list has an entry an axis
    const Block block = small_.block("layer");
    const Sharding sharding = small_.shard(block, everything);
    block_ = block;
    EXPECT_EQ(layout(sharding, "x"), "dp cp -");
    EXPECT_EQ(layout(sharding, "w"), "dp cp -");
    EXPECT_EQ(layout(sharding, "z"), "dp tp+cp -");
}

TEST_F(ExpertPlan, SendsTokensThereAndBack) {
    const PassPlan forward = small_.plan(block_, everything).forward;
    EXPECT_EQ(SmallTemplate::steps(forward),
              "scores, w, rows, p, all_to_all rows, all_gather rows, u, all_to_all p, all_gather p, g, "
              "mixed, reduce_scatter mixed, all_to_all mixed, z, y");
    EXPECT_EQ(SmallTemplate::saved(block_, forward), "x w w.probabilities rows p u g");
}

/// Each device of a group that has all experts makes the rows of its own, and one sum brings all together.
TEST_F(ExpertPlan, AGroupThatServesSumsOnce) {
    const AxisSet served = everything - AxisSet{MeshAxis::context};
    const Sharding sharding = shard(block_, served, small_.diagnostics, RoutedTokens::everywhere);
    ASSERT_EQ(small_.diagnostics.text(), "");
    EXPECT_EQ(layout(sharding, "rows"), "ep edp -");
    EXPECT_EQ(layout(sharding, "mixed"), "ep edp - | etp");
    EXPECT_EQ(layout(sharding, "z"), "dp - - | tp");
    const PassPlan forward = plan_forward(block_, sharding, small_.options.stack, small_.extents).forward;
    EXPECT_EQ(SmallTemplate::steps(forward),
              "scores, w, all_gather x, all_gather w, rows, p, u, g, mixed, z, reduce_scatter z, y");
}

/// Tokens go to experts of other groups as these read them, and what experts made comes back in bf16.
TEST_F(ExpertPlan, AServingEngineSendsCasts) {
    const auto sent = [&](graph::Precision precision, std::string_view step) {
        small_.options.stack.precision = precision;
        const Sharding sharding = small_.shard(block_, everything);
        const PassPlan plan = plan_forward(block_, sharding, small_.options.stack, small_.extents).forward;
        graph::Work work;
        for (const Step& each : plan.steps)
            if (each.name == step) evaluate(each.work, small_.numbers(1, 1), work);
        return std::get<graph::Collective>(work).size.value();
    };
    const auto ratio = [&](std::string_view step) {
        return sent(graph::Precision::fp8, step) / sent(graph::Precision::bf16, step);
    };
    EXPECT_EQ(ratio("all_to_all rows"), 0.5);
    EXPECT_EQ(ratio("all_to_all p"), 1.0);
    EXPECT_EQ(ratio("all_to_all mixed"), 1.0);
}

/// One in inference, another in training.
TEST_F(ExpertPlan, ExpertsHaveARateOfTheirOwn) {
    small_.options.stack.expert_rate = 0.75;
    const Sharding sharding = small_.shard(block_, everything);
    const PassPlan alone = plan_forward(block_, sharding, small_.options.stack, small_.extents).forward;
    const auto rate = [](const PassPlan& plan, std::string_view name) {
        for (const Step& step : plan.steps)
            if (step.name == name) return std::get<ComputeFormula>(step.work).efficiency;
        return 0.0;
    };
    EXPECT_EQ(rate(alone, "u"), 0.75);
    EXPECT_EQ(rate(alone, "scores"), 1.0) << "all tokens are rows of this product";
    EXPECT_EQ(rate(small_.plan(block_, everything).forward, "u"), 1.0);
    small_.options.stack.expert_training_rate = 0.5;
    EXPECT_EQ(rate(small_.plan(block_, everything).forward, "u"), 0.5);
    EXPECT_EQ(rate(small_.plan(block_, everything).forward, "scores"), 1.0);
    EXPECT_EQ(rate(alone, "u"), 0.75) << "that of training";
}

/// DeepGEMM's contiguous layout has a tile of 128 rows for an expert with one token, and multiplies it whole.
TEST_F(ExpertPlan, ExpertsMayReserveATileEach) {
    const Sharding sharding = small_.shard(block_, everything);
    const auto product = [&](std::string_view name) {
        const PassPlan alone = plan_forward(block_, sharding, small_.options.stack, small_.extents).forward;
        graph::Work work;
        for (const Step& step : alone.steps)
            if (step.name == name) evaluate(step.work, small_.numbers(1, 1), work);
        return std::get<graph::Compute>(work);
    };
    const graph::Compute lean = product("u");
    const graph::Compute router = product("scores");
    small_.options.stack.expert_tile = 128;
    const graph::Compute padded = product("u");
    EXPECT_EQ(padded.gemm.m, lean.gemm.m + 127.0);
    EXPECT_EQ(padded.executed_flop.value(), lean.executed_flop.value() * padded.gemm.m / lean.gemm.m);
    EXPECT_EQ(padded.model_flop, lean.model_flop) << "nothing of use";
    EXPECT_EQ(padded.read, lean.read) << "parameters of the experts that were chosen";
    EXPECT_EQ(product("scores").gemm.m, router.gemm.m);
}

/// Kernels with narrow tiles reserve none for few rows.
TEST_F(ExpertPlan, ExpertsWithFewRowsReserveNoTile) {
    small_.options.stack.expert_tile = 64;
    const auto rows = [&](std::int64_t few) {
        small_.options.stack.few_expert_rows = few;
        const Sharding sharding = small_.shard(block_, everything);
        graph::Work work;
        for (const Step& step :
             plan_forward(block_, sharding, small_.options.stack, small_.extents).forward.steps)
            if (step.name == "u") evaluate(step.work, small_.numbers(1, 1), work);
        return std::get<graph::Compute>(work).gemm.m;
    };
    const double own = rows(0) - 63.0;
    EXPECT_GT(own, 0.0);
    EXPECT_EQ(rows(static_cast<std::int64_t>(std::ceil(own))), own);
    EXPECT_EQ(rows(static_cast<std::int64_t>(std::ceil(own)) - 1), own + 63.0);
}

/// Checkpoints for inference keep the router in 16 bits: neither its product nor a cast for it is narrow.
TEST_F(ExpertPlan, RoutersStayWide) {
    const auto is_weight = [](const Block& block, std::string_view name) {
        for (const Tensor& tensor : block.tensors)
            if (tensor.name == name) return tensor.storage == Storage::weight;
        return false;
    };
    small_.options.stack.precision = graph::Precision::fp8;
    EXPECT_TRUE(is_weight(small_.block("layer"), "w_router")) << "in training";
    small_.options.mode = graph::Mode::prefill;
    const Block layer = small_.block("layer");
    EXPECT_FALSE(is_weight(layer, "w_router"));
    EXPECT_TRUE(is_weight(layer, "w_up"));
    small_.options.stack.precision = graph::Precision::bf16;
    EXPECT_TRUE(is_weight(small_.block("layer"), "w_router")) << "as all others";
}

/// In four bits only the experts are stored apart from products (gpt-oss on Hopper), in eight all layers are.
TEST_F(ExpertPlan, WeightsOfFewBitsAreWidenedByTheirProducts) {
    const auto product = [&](std::string_view name) {
        const Block layer = small_.block("layer");
        const PassPlan plan =
            plan_forward(layer, small_.shard(layer, AxisSet{}), small_.options.stack, small_.extents).forward;
        graph::Work work;
        for (const Step& step : plan.steps) {
            Numbers numbers = small_.numbers(1, 1);
            set_precisions(small_.options.stack, graph::Serving{}, numbers);
            if (step.name == name) evaluate(step.work, numbers, work);
        }
        return std::get<graph::Compute>(work);
    };
    small_.options.mode = graph::Mode::decode;
    const graph::Compute wide = product("g");
    EXPECT_EQ(wide.lane_cycles, 0.0);
    small_.options.stack.weight_bits = 4.0;
    small_.options.stack.widening_rate = 0.25;
    const graph::Compute narrow = product("g");
    const double weights = wide.gemm.batch * wide.gemm.n * wide.gemm.k;
    EXPECT_EQ((wide.read - narrow.read).value(), 1.5 * weights) << "half a byte instead of two";
    EXPECT_EQ(narrow.lane_cycles, 4.0 * weights);
    EXPECT_EQ(narrow.precision, graph::Precision::bf16);
    EXPECT_EQ(product("scores").lane_cycles, 0.0) << "the router";
    small_.options.stack.widening_rate = 0.0;
    EXPECT_EQ(product("g").lane_cycles, 0.0) << "memory alone";
    small_.options.stack.widening_rate = 0.25;
    small_.options.stack.precision = graph::Precision::fp4;
    small_.options.stack.weight_bits = 4.0;
    const graph::Compute bare = product("g");
    small_.options.stack.weight_bits = 5.0;
    const graph::Compute padded = product("g");
    EXPECT_EQ(padded.lane_cycles, 0.0) << "more bits than products multiply: scales and padding";
    EXPECT_EQ((padded.read - bare.read).value(), weights / 8.0);
    small_.options.stack.weight_bits = 0.0;
    EXPECT_NEAR((product("g").read - bare.read).value(), 0.0, 1e-9 * weights)
        << "rates of products contain those of scales, which are stored";
}

/// Of experts and in 16 bits, products have the device's rate.
TEST_F(ExpertPlan, DenseProductsHaveARateOfTheirOwn) {
    small_.options.stack.prompt_dense_rate = 0.25;
    small_.options.stack.expert_rate = 0.75;
    const auto rate = [&](std::string_view name) {
        const Sharding sharding = small_.shard(block_, everything);
        const PassPlan alone = plan_forward(block_, sharding, small_.options.stack, small_.extents).forward;
        for (const Step& step : alone.steps)
            if (step.name == name) return std::get<ComputeFormula>(step.work).efficiency;
        return 0.0;
    };
    EXPECT_EQ(rate("scores"), 1.0) << "in bf16";
    small_.options.stack.precision = graph::Precision::fp8;
    EXPECT_EQ(rate("scores"), 0.25);
    EXPECT_EQ(rate("u"), 0.75);
}

/// A fused kernel of experts: tokens are cast before they are sent and summed after they are back; sorting,
/// weights, activation and its cast cost no launch. In inference only.
TEST_F(ExpertPlan, ExpertsMayBeFused) {
    small_.options.stack.precision = graph::Precision::fp8;
    const Sharding sharding = small_.shard(block_, everything);
    const auto kernels = [&](const PassPlan& plan, std::string_view name) {
        for (const Step& step : plan.steps)
            if (step.name == name) return std::get<ComputeFormula>(step.work).kernels;
        return -1.0;
    };
    const auto alone = [&] {
        return plan_forward(block_, sharding, small_.options.stack, small_.extents).forward;
    };
    const PassPlan apart = alone();
    small_.options.stack.fused_experts = true;
    const PassPlan fused = alone();
    for (const std::string_view name : {"rows", "p", "g", "cast g"}) {
        EXPECT_GE(kernels(apart, name), 1.0) << name;
        EXPECT_EQ(kernels(fused, name), 0.0) << name;
    }
    for (const std::string_view name : {"w", "cast rows", "u", "mixed", "z", "y"})
        EXPECT_EQ(kernels(fused, name), 1.0) << name;
    EXPECT_EQ(kernels(small_.plan(block_, everything).forward, "g"), 1.0);
}

/// A shared expert that runs with the others needs no kernels; its products still take their time. Without
/// one, nothing changes.
TEST_F(ExpertPlan, ASharedExpertMayRunWithTheOthers) {
    std::string text{experts_template};
    const auto insert = [&](std::string_view before, std::string_view what) {
        text.insert(text.find(before), what);
    };
    insert("    operators:",
           "      w_shared: {shape: [h, 2*f], split: {1: tp}}\n"
           "      w_back: {shape: [f, h], split: {0: tp}}\n");
    insert("      - y = add",
           "      - v0 = einsum(\"bsh,ho->bso\", x, w_shared)\n"
           "      - g0 = swiglu(v0, width=f)\n"
           "      - s0 = einsum(\"bsf,fh->bsh\", g0, w_back)\n"
           "      - both = add(z, s0)\n");
    text.replace(text.find("y = add(x, z)"), 13, "y = add(x, both)");
    SmallTemplate shared{text};
    const Block block = shared.block("layer");
    const auto work = [&](SmallTemplate& of, const Block& layer, std::string_view name) {
        const Sharding sharding = of.shard(layer, everything);
        const PassPlan plan = plan_forward(layer, sharding, of.options.stack, of.extents).forward;
        for (const Step& step : plan.steps)
            if (step.name == name) return std::get<ComputeFormula>(step.work);
        ADD_FAILURE() << "no step " << name;
        return ComputeFormula{};
    };
    const double apart = work(shared, block, "v0").executed_factor;
    EXPECT_EQ(work(shared, block, "v0").kernels, 1.0);
    shared.options.stack.fused_shared_expert = true;
    for (const std::string_view name : {"v0", "g0", "s0", "both"})
        EXPECT_EQ(work(shared, block, name).kernels, 0.0) << name;
    EXPECT_EQ(work(shared, block, "v0").executed_factor, apart);
    for (const std::string_view name : {"scores", "u", "y"})
        EXPECT_EQ(work(shared, block, name).kernels, 1.0) << name;
    small_.options.stack.fused_shared_expert = true;
    EXPECT_EQ(work(small_, block_, "y").kernels, 1.0) << "adds what was sent";
}

/// Dispatch's backward pass is a combine, and the other way round; rows are kept as they arrived.
TEST_F(ExpertPlan, SendsGradientsTheSameWay) {
    const PassPlan backward = small_.plan(block_, everything).backward;
    EXPECT_EQ(SmallTemplate::steps(backward),
              "d_mixed, all_to_all d_mixed, all_gather d_mixed, d_g, d_w_down, d_u, reduce_scatter d_p, "
              "all_to_all d_p, d_rows, reduce_scatter d_rows, all_to_all d_rows, d_w_up, d_w, d_x, d_scores, "
              "d_x, add d_x, add d_x, d_w_router");
    for (const ParameterGradient& gradient : backward.gradients) {
        const Tensor& parameter = block_.tensor(gradient.parameter);
        const bool is_router = parameter.name == "w_router";
        EXPECT_EQ(words(gradient.partial), is_router ? "tp+cp+dp" : "edp") << parameter.name;
        EXPECT_EQ(words(replicas_of(parameter)), is_router ? "cp+dp" : "edp") << parameter.name;
    }
    EXPECT_EQ(backward.gradients.size(), 3U);
}

/// A token of two choices travels once to each device that has some of its experts; norms and weights of
/// other parallelism know nothing of choices.
TEST_F(ExpertPlan, ADispatcherThatSendsATokenOnceKnowsItsChoices) {
    small_.options.stack.dispatcher = graph::Dispatcher::deduplicated;
    const PassPlan forward = small_.plan(block_, everything).forward;
    std::size_t sent = 0;
    for (const Step& step : forward.steps) {
        const auto* collective = std::get_if<CollectiveFormula>(&step.work);
        if (collective == nullptr) continue;
        const bool dispatches = collective->kind == graph::CollectiveKind::all_to_all;
        EXPECT_EQ(collective->choices.has_value(), dispatches) << step.name;
        if (!dispatches) continue;
        ++sent;
        const Extent choices = small_.extents.all()[collective->choices->index()];
        EXPECT_EQ(small_.dimensions.text(choices.dim), "2") << step.name;
        EXPECT_TRUE(choices.split.empty());
    }
    EXPECT_EQ(sent, 3U) << "rows, their weights, results";
}

/// Without a kernel for all experts of a device, each has its own: a product and its casts.
TEST_F(ExpertPlan, ProductsRunExpertByExpert) {
    small_.options.stack.expert_kernels = 5;
    for (const PassPlan& plan :
         {small_.plan(block_, everything).forward, small_.plan(block_, everything).backward}) {
        for (const Step& step : plan.steps) {
            const auto* compute = std::get_if<ComputeFormula>(&step.work);
            if (compute == nullptr) continue;
            const bool of_experts = compute->is_gemm && compute->batch != Extents::one;
            EXPECT_EQ(compute->times.has_value(), of_experts) << step.name;
            if (!of_experts) continue;
            EXPECT_EQ(compute->kernels, 5.0);
            const Extent experts = small_.extents.all()[compute->times->index()];
            EXPECT_EQ(small_.dimensions.text(experts.dim), "16");
            EXPECT_EQ(words(experts.split), "ep");
        }
    }
}

/// Two products forward and four backward, each one launch for every expert. A cast of an expert's rows is
/// one launch with scales per block, and four with a scale of its own: two operands forward, two gradients
/// backward.
TEST_F(ExpertPlan, TheHostLaunchesExpertByExpert) {
    graph::SoftwareStack& stack = small_.options.stack;
    const auto launches = [&] {
        const BlockPlans plans = small_.plan(block_, everything);
        EXPECT_EQ(plans.input.launches.of_expert + plans.weight.launches.of_expert,
                  plans.backward.launches.of_expert);
        return std::pair{plans.forward.launches.of_expert, plans.backward.launches.of_expert};
    };
    EXPECT_EQ(launches(), std::pair(0.0, 0.0)) << "one kernel for all experts";
    stack.expert_kernels = 5;
    stack.launch_factor = 3;  // of the framework: these launches follow one another in compiled code
    EXPECT_EQ(launches(), std::pair(2.0, 4.0));
    stack.precision = graph::Precision::fp8;
    EXPECT_EQ(launches(), std::pair(10.0, 12.0));
    stack.cast_recipe = graph::CastRecipe::block;
    EXPECT_EQ(launches(), std::pair(4.0, 6.0));
    const LaunchFormula forward = small_.plan(block_, everything).forward.launches;
    EXPECT_EQ(small_.dimensions.text(small_.extents.all()[forward.experts->index()].dim), "16");
}

/// Products that run expert by expert need each expert's rows in one piece, and an all-to-all delivers them
/// by device of origin: they are sorted after it, and back before they leave, read and written once each. In
/// eight bits they are copied once more, to be padded.
TEST_F(ExpertPlan, RowsAreSortedByExpertWhereAPlainExchangeDeliversThem) {
    graph::SoftwareStack& stack = small_.options.stack;
    stack.expert_kernels = 5;
    const BlockPlans plans = small_.plan(block_, everything);
    EXPECT_EQ(
        SmallTemplate::steps(plans.forward),
        "scores, w, rows, p, all_to_all rows, sort rows, all_gather rows, u, all_to_all p, all_gather p, "
        "g, mixed, reduce_scatter mixed, sort mixed, all_to_all mixed, z, y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "d_mixed, all_to_all d_mixed, sort d_mixed, all_gather d_mixed, d_g, d_w_down, d_u, "
              "reduce_scatter d_p, all_to_all d_p, d_rows, reduce_scatter d_rows, sort d_rows, "
              "all_to_all d_rows, d_w_up, d_w, d_x, d_scores, d_x, add d_x, add d_x, d_w_router");

    const auto sorted = [&] {
        const PassPlan plan = small_.plan(block_, everything).forward;
        graph::Work sort;
        graph::Work sent;
        for (const Step& step : plan.steps) {
            if (step.name == "sort rows") evaluate(step.work, small_.numbers(1, 1), sort);
            if (step.name == "all_to_all rows") evaluate(step.work, small_.numbers(1, 1), sent);
        }
        const auto& compute = std::get<graph::Compute>(sort);
        EXPECT_EQ(compute.read, compute.written);
        return std::pair{compute.read / std::get<graph::Collective>(sent).size, compute.kernels};
    };
    EXPECT_EQ(sorted(), std::pair(1.0, 1.0));
    stack.precision = graph::Precision::fp8;
    EXPECT_EQ(sorted(), std::pair(2.0, 2.0));

    const auto sorts = [](const PassPlan& plan) {
        return std::any_of(plan.steps.begin(), plan.steps.end(),
                           [](const Step& step) { return step.name.starts_with("sort"); });
    };
    stack.dispatcher = graph::Dispatcher::deduplicated;
    EXPECT_FALSE(sorts(small_.plan(block_, everything).forward)) << "its kernels sort as they receive";
    stack.dispatcher = graph::Dispatcher::all_to_all;
    stack.expert_kernels = 0;
    EXPECT_FALSE(sorts(small_.plan(block_, everything).forward)) << "a grouped kernel finds its rows";
}

/// Forward: the router's product, its choice and the two permutations; a dispatcher of its own permutes by
/// itself. Backward the same, with two products of the router.
TEST_F(ExpertPlan, AGraphOfTheRouterSavesItsLaunches) {
    graph::SoftwareStack& stack = small_.options.stack;
    stack.launch_factor = 3;
    const auto saved = [&] {
        stack.router_graphs = false;
        const BlockPlans before = small_.plan(block_, everything);
        stack.router_graphs = true;
        const BlockPlans after = small_.plan(block_, everything);
        return std::pair{before.forward.launches.kernels - after.forward.launches.kernels,
                         before.backward.launches.kernels - after.backward.launches.kernels};
    };
    EXPECT_EQ(saved(), std::pair(3.0 * 4, 3.0 * 5));
    stack.dispatcher = graph::Dispatcher::deduplicated;
    EXPECT_EQ(saved(), std::pair(3.0 * 2, 3.0 * 3));
}

/// Forward: the router's product and its choice. What moves rows, the experts and the sum behind them are
/// launched. Backward the same, with two products of the router.
TEST_F(ExpertPlan, AGraphOfAttentionAndRouterSavesWhatComesBeforeExperts) {
    graph::SoftwareStack& stack = small_.options.stack;
    stack.launch_factor = 3;
    stack.dispatcher = graph::Dispatcher::deduplicated;
    const BlockPlans before = small_.plan(block_, everything);
    stack.attention_graphs = true;
    const BlockPlans after = small_.plan(block_, everything);
    EXPECT_EQ(before.forward.launches.kernels - after.forward.launches.kernels, 3.0 * 2);
    EXPECT_EQ(before.backward.launches.kernels - after.backward.launches.kernels, 3.0 * 3);
}

/// Within a CUDA graph, the rows that the backward pass reads are copied to pages and back: rows as they
/// arrived, both halves before the activation and its result. Weights of rows are negligible.
TEST_F(ExpertPlan, AGraphCopiesTheRowsThatItKeeps) {
    graph::SoftwareStack& stack = small_.options.stack;
    stack.dispatcher = graph::Dispatcher::deduplicated;
    const BlockPlans usual = small_.plan(block_, everything);
    stack.cuda_graphs = true;
    const BlockPlans plans = small_.plan(block_, everything);
    EXPECT_EQ(SmallTemplate::saved(block_, plans.forward), "x w w.probabilities rows p u g");
    EXPECT_EQ(SmallTemplate::steps(plans.forward), SmallTemplate::steps(usual.forward) + ", stash rows");
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "reload rows, " + SmallTemplate::steps(usual.backward));

    Bytes kept;
    for (const VersionId version : plans.forward.saved) {
        const Tensor& tensor = block_.tensor(plans.forward.versions[version.index()].tensor);
        if (tensor.name != "rows" && tensor.name != "u" && tensor.name != "g") continue;
        const Amount bytes = amount_of(block_, plans.forward.versions[version.index()], small_.extents);
        kept += Bytes{evaluate(bytes, small_.numbers(1, 1))};
    }
    for (const Step& step : {plans.forward.steps.back(), plans.backward.steps.front()}) {
        graph::Work work;
        evaluate(step.work, small_.numbers(1, 1), work);
        EXPECT_EQ(std::get<graph::Compute>(work).read, kept) << step.name;
        EXPECT_EQ(std::get<graph::Compute>(work).written, kept) << step.name;
    }
    stack.expert_kernels = 5;
    EXPECT_EQ(SmallTemplate::steps(small_.plan(block_, everything).forward),
              SmallTemplate::steps(usual.forward))
        << "experts one by one are not in the graph";
}

TEST_F(ExpertPlan, NothingIsSentOnOneDevice) {
    const BlockPlans plans = small_.plan(block_, {});
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "scores, w, rows, p, u, g, mixed, z, y");
}

}  // namespace
}  // namespace dse::frontend
