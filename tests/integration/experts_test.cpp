// Mixtures of experts: whatever the two foldings of the devices, all ranks together hold and do the same, and
// what a rank sends is what docs/theory/communication.md says. Sums come from the nodes, closed forms stand
// here.

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "region_memory.hpp"
#include "small_models.hpp"
#include "support/collective_totals.hpp"

namespace dse {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::MemoryKind;
using graph::MeshAxis;
using graph::Recompute;
using test::CollectiveTotals;

/// small_moe of SmallModels.
constexpr double layers = 8;
constexpr double h = 64;
constexpr double heads = 8;
constexpr double kv_heads = 4;
constexpr double head_dim = 8;
constexpr double width = 48;
constexpr double experts = 16;
constexpr double chosen = 4;
constexpr double vocab = 128;
constexpr double sequence = 64;
constexpr std::int64_t global_batch = 64;

// Parameters of a layer. docs/theory/work.md 1.1.
constexpr double attention_matrices = h * (heads + 2 * kv_heads) * head_dim + heads * head_dim * h;
constexpr double router = h * experts;
constexpr double one_expert = 3 * h * width;

struct Case {
    std::int64_t tp{1};
    std::int64_t pp{1};
    std::int64_t dp{1};
    std::int64_t ep{1};
    std::int64_t etp{1};
    std::int64_t zero{0};
    bool sequence_parallel{true};
    Recompute recompute{Recompute::none};

    [[nodiscard]] std::int64_t devices() const { return tp * pp * dp; }
    [[nodiscard]] std::int64_t edp() const { return tp * dp / (ep * etp); }
};

std::string describe(const Case& c) {
    return fmt::format("tp {} pp {} dp {} ep {} etp {} zero {} sp {} recompute {}", c.tp, c.pp, c.dp, c.ep,
                       c.etp, c.zero, c.sequence_parallel, static_cast<int>(c.recompute));
}

/// Calls `visit` for every (tp, pp, dp, ep, etp) on 1 to 64 devices that divides what it splits.
template <class Visit>
void for_each_layout(Visit&& visit) {
    for (std::int64_t tp : {1, 2, 4}) {
        for (std::int64_t pp : {1, 2, 4, 8}) {
            for (std::int64_t dp : {1, 2, 4, 8, 16, 32, 64}) {
                for (std::int64_t ep : {1, 2, 4, 8, 16}) {
                    for (std::int64_t etp : {1, 2, 4, 8, 16}) {
                        if (tp * pp * dp > 64 || tp * dp % (ep * etp) != 0) continue;
                        visit(Case{tp, pp, dp, ep, etp});
                    }
                }
            }
        }
    }
}

class Experts : public testing::Test {
  protected:
    static graph::WorkloadSpec spec_of(const Case& c) {
        graph::WorkloadSpec spec;
        spec.model = "small_moe";
        spec.global_batch = global_batch;
        spec.sequence = static_cast<std::int64_t>(sequence);
        spec.layout.tp = c.tp;
        spec.layout.pp = c.pp;
        spec.layout.ep = c.ep;
        spec.layout.etp = c.etp;
        spec.layout.sequence_parallel = c.sequence_parallel;
        spec.stack.zero = c.zero;
        spec.stack.recompute = c.recompute;
        return spec;
    }
    const graph::Graph& build(const Case& c, const graph::Routing& routing = {}) {
        graph::WorkloadSpec spec = spec_of(c);
        spec.routing = routing;
        return frontend_.build(spec, graph::resolve(spec.layout, c.devices(), global_batch));
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

// docs/theory/work.md 1.2: forward 2·T·(attention + router + K experts + head) and the causal attention core,
// times 3. Without sequence parallelism every rank of a tp group routes all tokens; the model asks for it
// once.
double model_flop() {
    const double layer =
        2 * (attention_matrices + router + chosen * one_expert) + 2 * sequence * heads * head_dim;
    return 3 * (layers * layer + 2 * h * vocab) * sequence * global_batch;
}

double total_of(const graph::Graph& graph, MemoryKind kind) {
    double bytes = 0;
    for (const std::uint32_t program : graph.program_of) {
        for (const graph::BufferId id : graph.programs[program].resident) {
            const graph::Buffer& buffer = graph.buffers[id.index()];
            if (buffer.kind == kind) bytes += buffer.size.value();
        }
    }
    return bytes * static_cast<double>(graph.mesh.ranks()) / static_cast<double>(graph.program_of.size());
}

/// Parameters over all ranks: matrices of attention once for each of dp replicas, what is not split once a
/// rank, experts once for each of edp replicas. ZeRO divides the replicas' copies.
double copies(const Case& c, std::int64_t shared_from) {
    const double split = layers * attention_matrices + 2 * vocab * h;
    const double whole = layers * (2 * h + router) + h;
    const double dense = split + whole * static_cast<double>(c.tp);
    const bool shared = c.zero >= shared_from;
    return dense * static_cast<double>(shared ? 1 : c.dp) +
           layers * experts * one_expert * static_cast<double>(shared ? 1 : c.edp());
}

TEST_F(Experts, FlopsAndParametersOfEveryFactorisation) {
    int laid_out = 0;
    for_each_layout([&](Case c) {
        c.zero = laid_out % 4;
        c.recompute = static_cast<Recompute>(laid_out % 3);
        c.sequence_parallel = laid_out % 5 != 0;
        const graph::Graph& graph = build(c);
        graph::validate(graph);
        ASSERT_EQ(graph::totals(graph).model_flop.value(), model_flop()) << describe(c);
        // A share is rounded up to whole bytes on every rank.
        const double rounding = 2.0 * static_cast<double>(c.devices());
        ASSERT_NEAR(total_of(graph, MemoryKind::parameters), 2 * copies(c, 3), rounding) << describe(c);
        ASSERT_NEAR(total_of(graph, MemoryKind::gradients), 4 * copies(c, 2), rounding) << describe(c);
        ASSERT_NEAR(total_of(graph, MemoryKind::optimizer), 12 * copies(c, 1), rounding) << describe(c);
        ++laid_out;
    });
    EXPECT_GT(laid_out, 250);
}

/// Models whose layers differ, that share experts or norm their heads: what they ask for is what they ask for
/// on one device, however it is laid out. On one device: ModelSizes and DeepSeekV3 in tests/frontend.
TEST_F(Experts, OtherFamiliesConserveTheirWorkToo) {
    for (const char* model : {"small_deepseek", "small_qwen"}) {
        const auto build_model = [&](const Case& c) -> const graph::Graph& {
            graph::WorkloadSpec spec = spec_of(c);
            spec.model = model;
            return frontend_.build(spec, graph::resolve(spec.layout, c.devices(), global_batch));
        };
        const double alone = graph::totals(build_model({})).model_flop.value();
        const double parameters = total_of(build_model({}), MemoryKind::parameters);
        int laid_out = 0;
        for_each_layout([&](Case c) {
            if (c.etp > 2 || c.pp > 4) return;
            c.zero = laid_out % 4;
            c.recompute = static_cast<Recompute>(laid_out % 3);
            const graph::Graph& graph = build_model(c);
            ASSERT_EQ(graph::totals(graph).model_flop.value(), alone) << model << " " << describe(c);
            const double held = total_of(graph, MemoryKind::parameters);
            // Fully sharded over all devices there is one copy of what is split and tp of what is not.
            if (c.zero == 3 && c.tp == 1) {
                // small_deepseek's last stage predicts two tokens, and has a copy of the embedding's table.
                const bool copies_table = std::string(model) == "small_deepseek" && c.pp > 1;
                ASSERT_NEAR(held, parameters + (copies_table ? 2 * vocab * h : 0.0),
                            4.0 * static_cast<double>(c.devices()))
                    << model << " " << describe(c);
            }
            ASSERT_GE(held, parameters) << model << " " << describe(c);
            ++laid_out;
        });
        EXPECT_GT(laid_out, 100);
    }
}

/// Closed forms of a rank's communication in one iteration; every term names what
/// docs/theory/communication.md calls it.
class Expected {
  public:
    Expected(const Case& c, std::int64_t stage)
        : case_{c},
          layers_{layers / static_cast<double>(c.pp)},
          first_{stage == 0},
          last_{stage + 1 == c.pp},
          microbatches_{static_cast<double>(global_batch / c.dp)},
          forwards_{c.recompute == Recompute::full ? 2.0 : 1.0} {
        add_experts();
        if (c.tp > 1) add_tensor_parallel();
        add_replicas(MeshAxis::data, c.dp, attention_matrices / static_cast<double>(c.tp) + 2 * h + router,
                     1);
        add_replicas(MeshAxis::expert_data, c.edp(), experts * one_expert / static_cast<double>(c.ep * c.etp),
                     0);
    }
    [[nodiscard]] const CollectiveTotals& totals() const { return totals_; }

  private:
    void add(CollectiveKind kind, AxisSet axes, double count, double size) {
        if (count == 0) return;
        totals_[{kind, axes.bits()}].count += count;
        totals_[{kind, axes.bits()}].size += Bytes{count * size};
    }
    void each(CollectiveKind kind, AxisSet axes, double count, double size) {
        add(kind, axes, count * microbatches_, size);
    }

    /// EP: dispatch and combine, forward and backward: 4 all-to-alls of S = w·T_loc·K·h; the weights of the
    /// choices go with the tokens, their gradients back. ETP: all-gather of what has been received, and
    /// reduce-scatter of what goes back.
    void add_experts() {
        const double rows = sequence / static_cast<double>(case_.tp) * chosen;
        const AxisSet ep{MeshAxis::expert};
        const AxisSet etp{MeshAxis::expert_tensor};
        if (case_.ep > 1) {
            each(CollectiveKind::all_to_all, ep, layers_ * (2 * forwards_ + 2), 2 * rows * h);
            each(CollectiveKind::all_to_all, ep, layers_ * (forwards_ + 1), 4 * rows);
        }
        if (case_.etp > 1) {
            const double received = rows * static_cast<double>(case_.etp);
            each(CollectiveKind::all_gather, etp, layers_ * (forwards_ + 1), 2 * received * h);
            each(CollectiveKind::all_gather, etp, layers_ * forwards_, 4 * received);
            each(CollectiveKind::reduce_scatter, etp, layers_ * (forwards_ + 1), 2 * received * h);
            each(CollectiveKind::reduce_scatter, etp, layers_, 4 * received);
        }
    }

    /// As in a dense model, but for the attention half of a layer only: experts are fed from shards.
    void add_tensor_parallel() {
        const AxisSet tp{MeshAxis::tensor};
        const double activation = 2 * sequence * h;
        if (case_.sequence_parallel) {
            each(CollectiveKind::all_gather, tp,
                 layers_ * (forwards_ + 2) + (first_ ? 1 : 0) + (last_ ? 2 : 0), activation);
            each(CollectiveKind::reduce_scatter, tp,
                 layers_ * (forwards_ + 1) + (first_ ? 1 : 0) + (last_ ? 1 : 0), activation);
            // Norms and router see other tokens on every rank of a tp group: before gradients are reduced
            // over dp, and as often.
            const double times = case_.zero >= 2 && (case_.dp > 1 || case_.edp() > 1) ? microbatches_ : 1;
            add(CollectiveKind::all_reduce, tp, layers_ * times, 4 * (2 * h + router));
            add(CollectiveKind::all_reduce, tp, last_ ? times : 0, 4 * h);
        } else {
            each(CollectiveKind::all_reduce, tp,
                 layers_ * (forwards_ + 1) + (first_ ? 1 : 0) + (last_ ? 1 : 0), activation);
            // Every rank takes a part of the tokens to the experts, and adds the residual to that part: the
            // block's result is gathered, and so are the gradients of the residual, of the tokens and of
            // their weights.
            each(CollectiveKind::all_gather, tp, layers_ * 3, activation);
            each(CollectiveKind::all_gather, tp, layers_, 4 * sequence * chosen);
        }
        // Vocabulary-parallel loss: maximum, sum of exponentials, the target's logit, fp32.
        each(CollectiveKind::all_reduce, tp, last_ ? 3 : 0, 4 * sequence);
    }

    /// \param tables  of the vocabulary at either end, split over tp
    void add_replicas(AxisSet axes, std::int64_t replicas, double layer, double tables) {
        if (replicas == 1) return;
        const double table = tables * vocab * h / static_cast<double>(case_.tp);
        blocks(axes, layers_, layer);
        if (first_ && tables > 0) blocks(axes, 1, table);
        if (last_ && tables > 0) blocks(axes, 1, table + h);
    }

    /// Z0: AR of the gradients; Z1: RS + AG a step; Z2: RS a microbatch; Z3: AG + AG + RS a microbatch.
    void blocks(AxisSet axes, double count, double parameters) {
        const double every = count * microbatches_;
        switch (case_.zero) {
            case 0:
                return add(CollectiveKind::all_reduce, axes, count, 4 * parameters);
            case 1:
                add(CollectiveKind::reduce_scatter, axes, count, 4 * parameters);
                return add(CollectiveKind::all_gather, axes, count, 2 * parameters);
            case 2:
                add(CollectiveKind::reduce_scatter, axes, every, 4 * parameters);
                return add(CollectiveKind::all_gather, axes, count, 2 * parameters);
            default:
                add(CollectiveKind::reduce_scatter, axes, every, 4 * parameters);
                return add(CollectiveKind::all_gather, axes, 2 * every, 2 * parameters);
        }
    }

    Case case_;
    double layers_;
    bool first_;
    bool last_;
    double microbatches_;
    double forwards_;
    CollectiveTotals totals_;
};

TEST_F(Experts, CommunicationIsTheClosedForms) {
    int turn = 0;
    for_each_layout([&](Case c) {
        c.zero = turn % 4;
        c.recompute = static_cast<Recompute>(turn / 4 % 3);
        c.sequence_parallel = turn % 7 != 0;
        ++turn;
        const graph::Graph& graph = build(c);
        for (std::int64_t stage = 0; stage < c.pp; ++stage) {
            ASSERT_EQ(text(test::collectives_of_stage(graph, static_cast<std::size_t>(stage))),
                      text(Expected(c, stage).totals()))
                << describe(c) << " stage " << stage;
        }
    });
}

/// docs/theory/memory.md 2.2 (RMSNorm, flash, gated): 8h + 4q + 4k + 4 n_h a token and layer, in the place of
/// 6f K·(2h + 6f_e); and what a router needs: probabilities in fp32 over all experts, weights in fp32 as
/// chosen and beside the rows.
TEST_F(Experts, ActivationsAreTheClosedForm) {
    for (const std::int64_t tp : {1, 2, 4}) {
        for (const std::int64_t ep : {1, 4}) {
            Case c;
            c.tp = tp;
            c.dp = 16;
            c.ep = ep;
            const graph::Graph& graph = build(c);
            const auto& program = graph.programs.front();
            const double token = 8 * h + 4 * heads * head_dim + 4 * kv_heads * head_dim + 4 * heads +
                                 chosen * (2 * h + 6 * width) + 4 * experts + 2 * 4 * chosen;
            const double head = 4 * vocab + 4 * h;
            const test::RegionMemory forward(graph, program, program.chunks.front().forward);
            // Inside an expert's layer nothing is kept twice: RMSNorm's input of the MLP is x1 (2h).
            EXPECT_EQ(forward.net(), sequence / static_cast<double>(tp) * (layers * token + head))
                << describe(c);
        }
    }
}

TEST_F(Experts, TheFullestDeviceSetsThePace) {
    Case c;
    c.dp = 16;
    c.ep = 8;
    const graph::Totals balanced = graph::totals(build(c));
    const double expert_share = 3 * 2 * layers * chosen * one_expert * sequence * global_batch;
    ASSERT_EQ(balanced.executed_flop - balanced.model_flop,
              // Flash attention's backward pass runs 5 products for 4.
              Flop{layers * sequence * heads * head_dim * sequence * global_batch});
    graph::Routing routing;
    routing.capacity_factor = 1.5;
    const graph::Totals padded = graph::totals(build(c, routing));
    EXPECT_EQ(padded.model_flop, balanced.model_flop) << "what the model asks for stays";
    EXPECT_EQ((padded.executed_flop - balanced.executed_flop).value(), 0.5 * expert_share);
    routing = {};
    routing.imbalance = graph::Imbalance::zipf;
    const double load = graph::fullest_load(routing, {16, 4, 8, 1.0});
    const graph::Totals skewed = graph::totals(build(c, routing));
    EXPECT_NEAR((skewed.executed_flop - balanced.executed_flop).value(), (load - 1.0) * expert_share,
                1e-12 * expert_share);
}

TEST_F(Experts, RefusesLayoutsThatDoNotFit) {
    const auto reason = [&](Case c) -> std::string {
        try {
            static_cast<void>(build(c));
        } catch (const ModelError& error) {
            return error.what();
        }
        return "";
    };
    Case c;
    c.dp = 64;
    c.ep = 32;
    EXPECT_EQ(reason(c), "16 experts are not divisible by ep 32");
    c.ep = 1;
    c.etp = 32;
    EXPECT_EQ(reason(c), "dimension f = 48 is not divisible by etp 32");
}

TEST_F(Experts, DenseModelsHaveNone) {
    graph::WorkloadSpec spec = spec_of({1, 1, 8, 4, 1});
    spec.model = "small_llama";
    try {
        static_cast<void>(frontend_.build(spec, graph::resolve(spec.layout, 8, global_batch)));
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(), "model 'small_llama' has no experts for ep 4 to share");
    }
    // How experts would be folded makes no difference to a model without.
    spec.layout.ep = 1;
    spec.layout.tp = 4;
    const auto totals = [&] {
        return graph::totals(frontend_.build(spec, graph::resolve(spec.layout, 8, global_batch))).sent;
    };
    const Bytes sent = totals();
    spec.layout.etp = 1;
    EXPECT_EQ(totals(), sent);
}

}  // namespace
}  // namespace dse
