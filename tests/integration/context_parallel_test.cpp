// Context parallelism against its closed forms: work conserved over every factorisation of up to 64 devices,
// volumes of docs/theory/communication.md, activations of docs/theory/memory.md, and both engines on the same
// graphs.
#include <cmath>

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
using graph::ContextAttention;
using graph::MeshAxis;
using graph::Recompute;
using test::CollectiveTotals;
using test::ModelSizes;
using test::RegionMemory;

constexpr double w = 2;  // bf16
constexpr std::array ways{ContextAttention::all_gather, ContextAttention::ring, ContextAttention::ulysses};

struct Case {
    ModelSizes model;
    std::int64_t tp{1};
    std::int64_t cp{1};
    std::int64_t pp{1};
    std::int64_t dp{1};
    ContextAttention way{ContextAttention::ring};
    bool sequence_parallel{true};
    std::int64_t zero{0};
    Recompute recompute{Recompute::none};
    std::int64_t sequence{64};
    std::int64_t global_batch{16};
};

std::string describe(const Case& c) {
    return fmt::format("{} tp {} cp {} pp {} dp {} way {} sp {} zero {} recompute {}", c.model.name, c.tp,
                       c.cp, c.pp, c.dp, static_cast<int>(c.way), c.sequence_parallel, c.zero,
                       static_cast<int>(c.recompute));
}

class ContextParallel : public testing::TestWithParam<ModelSizes> {
  protected:
    const graph::Graph& build(const Case& c) {
        graph::WorkloadSpec spec;
        spec.model = c.model.name;
        spec.global_batch = c.global_batch;
        spec.sequence = c.sequence;
        spec.layout.tp = c.tp;
        spec.layout.cp = c.cp;
        spec.layout.pp = c.pp;
        spec.layout.sequence_parallel = c.sequence_parallel;
        spec.stack.cp_attention = c.way;
        spec.stack.zero = c.zero;
        spec.stack.recompute = c.recompute;
        return frontend_.build(spec, graph::resolve(spec.layout, c.tp * c.cp * c.pp * c.dp, c.global_batch));
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

/// What the heads, layers, widths and the sequence of a model can be divided into.
bool fits(const Case& c) {
    const ModelSizes& m = c.model;
    const auto divides = [](double whole, std::int64_t by) {
        return std::fmod(whole, static_cast<double>(by)) == 0;
    };
    const std::int64_t inside = c.sequence_parallel ? c.tp * c.cp : c.cp;
    const bool chunks = c.cp == 1 || c.way == ContextAttention::ulysses || c.sequence % (2 * c.cp) == 0;
    const std::int64_t head_ranks = c.way == ContextAttention::ulysses ? c.tp * c.cp : c.tp;
    return chunks && divides(m.k, head_ranks) && divides(m.f, c.tp) && divides(m.vocab, c.tp) &&
           c.sequence % inside == 0 && m.layers >= static_cast<double>(c.pp);
}

/// docs/theory/work.md 1.2, forward FLOPs of attention for one token, without the scores that the causal mask
/// hides.
double causal_flop(const ModelSizes& m, double sequence, double attention_passes) {
    return attention_passes * 2 * m.layers * sequence * m.n * m.d;
}

/// The same as the model counts it: GPT's publications include masked scores.
double model_flop(const ModelSizes& m, double sequence, double attention_passes) {
    return (m.gated ? 1 : 2) * causal_flop(m, sequence, attention_passes);
}

/// Bytes of parameters of one replica, copies counted.
double resident_parameters(const graph::Graph& graph, std::int64_t zero) {
    double bytes = 0;
    for (const std::uint32_t program : graph.program_of) {
        for (const graph::BufferId id : graph.programs[program].resident) {
            const graph::Buffer& buffer = graph.buffers[id.index()];
            if (buffer.kind == graph::MemoryKind::parameters) bytes += buffer.size.value();
        }
    }
    const auto degree = [&](AxisSet axes) { return static_cast<double>(graph.mesh.degree(axes)); };
    return bytes * degree(MeshAxis::tensor) * (zero == 3 ? degree(graph::replica_axes) : 1.0) / w;
}

TEST_P(ContextParallel, EveryFactorisationDoesTheSameWork) {
    const ModelSizes& m = GetParam();
    int laid_out = 0;
    int refused = 0;
    int turn = 0;
    for (std::int64_t devices = 2; devices <= 64; ++devices) {
        for (std::int64_t tp = 1; tp <= devices; ++tp) {
            for (std::int64_t cp = 2; tp * cp <= devices; ++cp) {
                for (std::int64_t pp = 1; tp * cp * pp <= devices; ++pp) {
                    if (devices % (tp * cp * pp) != 0) continue;
                    Case c{m, tp, cp, pp, devices / (tp * cp * pp)};
                    c.sequence = 192;
                    c.global_batch = 64;
                    if (c.global_batch % c.dp != 0) continue;
                    for (const ContextAttention way : ways) {
                        ++turn;
                        c.way = way;
                        c.sequence_parallel = turn % 5 != 0;
                        c.zero = turn % 4;
                        c.recompute = static_cast<Recompute>(turn % 7 % 3);
                        if (!fits(c)) {
                            EXPECT_THROW(static_cast<void>(build(c)), ModelError) << describe(c);
                            ++refused;
                            continue;
                        }
                        const graph::Graph& graph = build(c);
                        const graph::Totals totals = graph::totals(graph);
                        const auto s = static_cast<double>(c.sequence);
                        const double tokens = s * static_cast<double>(c.global_batch);
                        const double layers = 2 * m.layers * m.layer_matrices();
                        const double matrices = layers + 2 * m.h * m.vocab;
                        ASSERT_EQ(totals.model_flop.value(), tokens * (3 * matrices + model_flop(m, s, 3)))
                            << describe(c);
                        // Flash attention's backward pass is 2.5 times its forward pass.
                        const double again = c.recompute == Recompute::full ? 1 : 0;
                        ASSERT_EQ(totals.executed_flop.value(),
                                  tokens * (3 * matrices + again * layers + causal_flop(m, s, 3.5 + again)))
                            << describe(c);
                        const double split =
                            m.layers * m.layer_matrices() + (m.gated ? 2 : 1) * m.vocab * m.h;
                        const double vectors = m.layers * m.layer_vectors() + m.head_vectors();
                        const double copy = !m.gated && pp > 1 ? m.vocab * m.h : 0.0;
                        ASSERT_NEAR(resident_parameters(graph, c.zero),
                                    split + vectors * static_cast<double>(tp) + copy,
                                    c.zero == 3 ? static_cast<double>(devices) : 0.0)
                            << describe(c);
                        ++laid_out;
                    }
                }
            }
        }
    }
    EXPECT_GT(laid_out, 100);
    EXPECT_GT(refused, 0);
}

class Expected {
  public:
    explicit Expected(const Case& c, std::int64_t stage)
        : case_{c},
          layers_{c.model.layers / static_cast<double>(c.pp)},
          microbatches_{static_cast<double>(c.global_batch / c.dp)},
          first_{stage == 0},
          last_{stage + 1 == c.pp} {
        add_attention();
        add_replicas();
    }
    [[nodiscard]] const CollectiveTotals& totals() const { return totals_; }

  private:
    void add(CollectiveKind kind, AxisSet axes, double count, double size) {
        if (count == 0) return;
        totals_[{kind, axes.bits()}].count += count;
        totals_[{kind, axes.bits()}].size += Bytes{count * size};
    }
    void context(CollectiveKind kind, double count, double size) {
        add(kind, MeshAxis::context, count * layers_ * microbatches_, size);
    }

    /// docs/theory/communication.md: KV = 2·w·b·(s/c)·k/t.
    void add_attention() {
        const auto c = static_cast<double>(case_.cp);
        const auto t = static_cast<double>(case_.tp);
        const double tokens = static_cast<double>(case_.sequence) / c;
        const double q = w * tokens * case_.model.n * case_.model.d / t;
        const double kv = 2 * w * tokens * case_.model.k * case_.model.d / t;
        // A recomputed block repeats the collectives of its forward pass.
        const double forwards = case_.recompute == Recompute::full ? 2 : 1;
        switch (case_.way) {
            case ContextAttention::ring:
                // (c - 1)·KV forward; (c - 1)·KV + c·dKV backward.
                return context(CollectiveKind::ring_shift, forwards * (c - 1) + (c - 1) + c, kv);
            case ContextAttention::all_gather:
                // Gathered forward, gathered again for the backward pass, whose dKV is reduced and scattered.
                context(CollectiveKind::all_gather, forwards + 1, c * kv);
                return context(CollectiveKind::reduce_scatter, 1, c * kv);
            case ContextAttention::ulysses:
                // Of q, of k and v together, and of the result; their gradients' likewise.
                context(CollectiveKind::all_to_all, 2 * (forwards + 1), q);
                return context(CollectiveKind::all_to_all, forwards + 1, kv);
        }
    }

    /// Gradients and parameters over dp·cp, whatever dp is: Z0 AR, Z1 RS + AG a step.
    void add_replicas() {
        const auto t = static_cast<double>(case_.tp);
        const ModelSizes& m = case_.model;
        const double table = m.vocab * m.h / t;
        replicas(layers_, m.layer_matrices() / t + m.layer_vectors());
        if (first_) replicas(1, table);
        const bool tied_here = !m.gated && case_.pp == 1;
        if (last_) replicas(1, (tied_here ? 0 : table) + m.head_vectors());
    }
    void replicas(double count, double parameters) {
        const AxisSet group = graph::replica_axes;
        if (case_.zero == 0) return add(CollectiveKind::all_reduce, group, count, 4 * parameters);
        add(CollectiveKind::reduce_scatter, group, count, 4 * parameters);
        add(CollectiveKind::all_gather, group, count, w * parameters);
    }

    Case case_;
    double layers_;
    double microbatches_;
    bool first_;
    bool last_;
    CollectiveTotals totals_;
};

/// Of collectives over cp, alone or with dp.
TEST_P(ContextParallel, VolumesAreTheClosedForms) {
    int compared = 0;
    for (const std::int64_t tp : {1, 2}) {
        for (const std::int64_t cp : {2, 4}) {
            for (const std::int64_t pp : {1, 2}) {
                for (const std::int64_t dp : {1, 4}) {
                    for (const ContextAttention way : ways) {
                        for (const Recompute recompute :
                             {Recompute::none, Recompute::selective, Recompute::full}) {
                            for (const std::int64_t zero : {0, 1}) {
                                Case c{GetParam(), tp,       cp, pp, dp, way, (tp + compared) % 2 == 0,
                                       zero,       recompute};
                                if (!fits(c)) continue;
                                const graph::Graph& graph = build(c);
                                for (std::int64_t stage = 0; stage < pp; ++stage) {
                                    const auto found =
                                        test::collectives_of_stage(graph, static_cast<std::size_t>(stage));
                                    ASSERT_EQ(text(found, MeshAxis::context),
                                              text(Expected(c, stage).totals(), MeshAxis::context))
                                        << describe(c) << " stage " << stage;
                                    ++compared;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    // Four key-value heads are not divided among eight ranks: 1/4 of small_llama's Ulysses cases fall out.
    EXPECT_GE(compared, (1 + 2) * 2 * 2 * 2 * 3 * 3 * 2 - (1 + 2) * 2 * 3 * 2);
}

/// The tp collectives of a layer are as without cp, on c times fewer tokens.
TEST_P(ContextParallel, TensorParallelVolumesShrink) {
    for (const ContextAttention way : ways) {
        for (const bool sequence_parallel : {true, false}) {
            Case c{GetParam(), 2, 1, 1, 2, way, sequence_parallel};
            const CollectiveTotals whole = test::collectives_of_stage(build(c), 0);
            c.cp = 2;
            const CollectiveTotals split = test::collectives_of_stage(build(c), 0);
            const AxisSet tp{MeshAxis::tensor};
            for (const CollectiveKind kind :
                 {CollectiveKind::all_gather, CollectiveKind::reduce_scatter, CollectiveKind::all_reduce}) {
                const auto found = whole.find({kind, tp.bits()});
                if (found == whole.end()) continue;
                const auto& half = split.at({kind, tp.bits()});
                EXPECT_EQ(half.count, found->second.count);
                // Gradients of norms, reduced under sequence parallelism, do not depend on tokens.
                const double norms =
                    kind == CollectiveKind::all_reduce && sequence_parallel
                        ? 4 * (c.model.layers * c.model.layer_vectors() + c.model.head_vectors())
                        : 0.0;
                EXPECT_EQ(half.size.value() - norms, (found->second.size.value() - norms) / 2) << describe(c);
            }
        }
    }
}

/// docs/theory/memory.md 2.2: A = s·b·(8h + 4q + 4k + 6f + 4n)/(t·c) for llama; the head (4V + 4h)/(t·c).
/// Ulysses keeps the result of attention as the kernel left it as well: 2q more.
TEST(ContextParallelMemory, ActivationsAreDividedByTheRanks) {
    test::SmallModels models;
    frontend::TemplateFrontend frontend = models.frontend();
    const ModelSizes& m = test::small_llama;
    for (const std::int64_t tp : {1, 2}) {
        for (const std::int64_t cp : {2, 4}) {
            for (const ContextAttention way : ways) {
                if (way == ContextAttention::ulysses && tp * cp > 4) continue;
                graph::WorkloadSpec spec;
                spec.model = m.name;
                spec.global_batch = 2;
                spec.sequence = 64;
                spec.layout.tp = tp;
                spec.layout.cp = cp;
                spec.stack.cp_attention = way;
                const graph::Graph& graph = frontend.build(spec, graph::resolve(spec.layout, tp * cp, 2));
                const auto& program = graph.programs.front();
                const RegionMemory forward(graph, program, program.chunks.front().forward);
                const RegionMemory backward(graph, program, program.chunks.front().backward);
                const double q = m.n * m.d;
                const double k = m.k * m.d;
                const double moved = way == ContextAttention::ulysses ? 2 * q : 0;
                const double layer = 8 * m.h + 4 * q + 4 * k + 6 * m.f + 4 * m.n + moved;
                const double expected =
                    64 * (layer * m.layers + 4 * m.vocab + 4 * m.h) / static_cast<double>(tp * cp);
                EXPECT_EQ(forward.net(), expected)
                    << "tp " << tp << " cp " << cp << " way " << static_cast<int>(way);
                EXPECT_EQ(backward.net(), -expected);
                EXPECT_EQ(forward.net(graph::MemoryKind::communication), 0);
                EXPECT_EQ(backward.net(graph::MemoryKind::communication), 0);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Small, ContextParallel,
                         testing::Values(test::small_llama, test::small_gpt, test::wide_llama),
                         [](const auto& model) { return model.param.name; });

}  // namespace
}  // namespace dse
