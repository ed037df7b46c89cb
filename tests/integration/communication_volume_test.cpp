// What a rank communicates in one iteration, summed over its nodes, against the closed forms of
// docs/theory/communication.md.
#include <cmath>

#include <gtest/gtest.h>

#include "small_models.hpp"
#include "support/collective_totals.hpp"

namespace dse {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::MeshAxis;
using graph::Recompute;
using test::CollectiveTotals;
using test::ModelSizes;

constexpr double weight_bytes = 2;    // bf16
constexpr double gradient_bytes = 4;  // fp32
constexpr std::int64_t sequence = 32;
constexpr std::int64_t global_batch = 16;

struct Case {
    ModelSizes model;
    std::int64_t tp{1};
    std::int64_t pp{1};
    std::int64_t dp{1};
    bool sequence_parallel{true};
    std::int64_t zero{0};
    Recompute recompute{Recompute::none};
    std::int64_t prefetch{1};
};

std::string describe(const Case& c) {
    return fmt::format("{} tp {} pp {} dp {} sp {} zero {} recompute {} prefetch {}", c.model.name, c.tp,
                       c.pp, c.dp, c.sequence_parallel, c.zero, static_cast<int>(c.recompute), c.prefetch);
}

/// Closed forms. Every term names what docs/theory/communication.md calls it.
class Expected {
  public:
    Expected(const Case& c, std::int64_t stage)
        : case_{c},
          layers_{c.model.layers / static_cast<double>(c.pp)},
          first_{stage == 0},
          last_{stage + 1 == c.pp},
          microbatches_{static_cast<double>(global_batch / c.dp)} {
        if (c.tp > 1) add_tensor_parallel();
        if (c.dp > 1) add_data_parallel();
        if (!c.model.gated && c.pp > 1) add_tied_embedding();
    }

    [[nodiscard]] const CollectiveTotals& totals() const { return totals_; }

  private:
    void add(CollectiveKind kind, AxisSet axes, double count, double size) {
        if (count == 0) return;
        totals_[{kind, axes.bits()}].count += count;
        totals_[{kind, axes.bits()}].size += Bytes{count * size};
    }
    void tensor(CollectiveKind kind, double count, double size) {
        add(kind, MeshAxis::tensor, count * microbatches_, size);
    }

    void add_tensor_parallel() {
        const double activation = weight_bytes * static_cast<double>(sequence) * case_.model.h;
        // A recomputed block repeats the collectives of its forward pass.
        const double forwards = case_.recompute == Recompute::full ? 2 : 1;
        if (case_.sequence_parallel) {
            // A layer: forward 2 AG + 2 RS; backward the transposes, 2 RS + 2 AG, and 2 AG that rebuild the
            // saved shards. Embedding: RS, then AG. Head: AG, then AG (rebuild) and RS.
            tensor(CollectiveKind::all_gather,
                   layers_ * (2 * forwards + 2 + 2) + (first_ ? 1 : 0) + (last_ ? 2 : 0), activation);
            tensor(CollectiveKind::reduce_scatter,
                   layers_ * (2 * forwards + 2) + (first_ ? 1 : 0) + (last_ ? 1 : 0), activation);
            add_norm_gradients();
        } else {
            tensor(CollectiveKind::all_reduce,
                   layers_ * (2 * forwards + 2) + (first_ ? 1 : 0) + (last_ ? 1 : 0), activation);
        }
        // Vocabulary-parallel loss: maximum, sum of exponentials, the target's logit, fp32.
        tensor(CollectiveKind::all_reduce, last_ ? 3 : 0, 4.0 * static_cast<double>(sequence));
    }

    /// Under sequence parallelism every rank of a tp group sees other tokens: before gradients are reduced
    /// over dp, and as often. Biases behind row-parallel products are such vectors, too, and need nothing
    /// else.
    void add_norm_gradients() {
        const double times = case_.zero >= 2 && case_.dp > 1 ? microbatches_ : 1;
        add(CollectiveKind::all_reduce, MeshAxis::tensor, layers_ * times,
            gradient_bytes * case_.model.layer_vectors());
        add(CollectiveKind::all_reduce, MeshAxis::tensor, last_ ? times : 0,
            gradient_bytes * case_.model.head_vectors());
    }

    /// gpt's first and last stage both have the embedding: the sum of its gradients, once an iteration.
    void add_tied_embedding() {
        const double shards = case_.zero >= 2 ? static_cast<double>(case_.dp) : 1.0;
        const double table = case_.model.vocab * case_.model.h / static_cast<double>(case_.tp);
        add(CollectiveKind::all_reduce, MeshAxis::pipeline, first_ || last_ ? 1 : 0,
            std::ceil(gradient_bytes * table / shards));
    }

    void add_data_parallel() {
        const auto t = static_cast<double>(case_.tp);
        const double layer = case_.model.layer_matrices() / t + case_.model.layer_vectors();
        const double table = case_.model.vocab * case_.model.h / t;
        blocks(layers_, layer, layer);
        if (first_) blocks(1, table, table);
        // gpt's head shares the embedding's table: where both stand on one stage its gradient is reduced
        // once.
        const bool tied_here = !case_.model.gated && case_.pp == 1;
        if (last_)
            blocks(1, table + case_.model.head_vectors(),
                   (tied_here ? 0 : table) + case_.model.head_vectors());
    }

    /// Z0: AR of the gradients; Z1: RS + AG a step; Z2: RS a microbatch; Z3: AG + AG + RS a microbatch.
    void blocks(double count, double gathered, double reduced) {
        const double gradients = gradient_bytes * reduced;
        const AxisSet dp{MeshAxis::data};
        const double each = count * microbatches_;
        switch (case_.zero) {
            case 0:
                return add(CollectiveKind::all_reduce, dp, count, gradients);
            case 1:
                add(CollectiveKind::reduce_scatter, dp, count, gradients);
                return add(CollectiveKind::all_gather, dp, count, weight_bytes * reduced);
            case 2:
                add(CollectiveKind::reduce_scatter, dp, each, gradients);
                return add(CollectiveKind::all_gather, dp, count, weight_bytes * reduced);
            default:
                add(CollectiveKind::reduce_scatter, dp, each, gradients);
                return add(CollectiveKind::all_gather, dp, 2 * each, weight_bytes * gathered);
        }
    }

    Case case_;
    double layers_;
    bool first_;
    bool last_;
    double microbatches_;
    CollectiveTotals totals_;
};

class CommunicationVolume : public testing::TestWithParam<ModelSizes> {
  protected:
    const graph::Graph& build(const Case& c) {
        graph::WorkloadSpec spec;
        spec.model = c.model.name;
        spec.global_batch = global_batch;
        spec.sequence = sequence;
        spec.layout.tp = c.tp;
        spec.layout.pp = c.pp;
        spec.layout.sequence_parallel = c.sequence_parallel;
        spec.stack.zero = c.zero;
        spec.stack.recompute = c.recompute;
        spec.stack.prefetch = c.prefetch;
        return frontend_.build(spec, graph::resolve(spec.layout, c.tp * c.pp * c.dp, global_batch));
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

TEST_P(CommunicationVolume, EqualsTheClosedForms) {
    int compared = 0;
    for (const std::int64_t tp : {1, 2, 4}) {
        for (const std::int64_t pp : {1, 2, 4}) {
            for (const std::int64_t dp : {1, 2, 8}) {
                for (const bool sequence_parallel : {true, false}) {
                    for (const std::int64_t zero : {0, 1, 2, 3}) {
                        for (const Recompute recompute :
                             {Recompute::none, Recompute::selective, Recompute::full}) {
                            const Case c{GetParam(),        tp,   pp,        dp,
                                         sequence_parallel, zero, recompute, (tp + dp) % 4};
                            const graph::Graph& graph = build(c);
                            for (std::int64_t stage = 0; stage < pp; ++stage) {
                                ASSERT_EQ(
                                    text(test::collectives_of_stage(graph, static_cast<std::size_t>(stage))),
                                    text(Expected(c, stage).totals()))
                                    << describe(c) << " stage " << stage;
                                ++compared;
                            }
                        }
                    }
                }
            }
        }
    }
    EXPECT_EQ(compared, 3 * (1 + 2 + 4) * 3 * 2 * 4 * 3);
}

INSTANTIATE_TEST_SUITE_P(Small, CommunicationVolume,
                         testing::Values(test::small_llama, test::small_gpt, test::small_biased_gpt),
                         [](const auto& model) { return model.param.name; });

}  // namespace
}  // namespace dse
