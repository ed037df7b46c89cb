// However a model is laid out, all ranks together do the same work: parameters and FLOPs, summed over the
// nodes of every layout of up to 64 devices, stay what they are on one device, exactly.
#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "small_models.hpp"

namespace dse {
namespace {

using graph::Attention;
using graph::Recompute;
using test::ModelSizes;

constexpr double sequence = 64;
constexpr double global_batch = 64;

/// Forward FLOPs of one token in the layers, and in the head (docs/theory/work.md 1.2); causal attention
/// counts half.
struct ForwardFlop {
    double matrices{0};
    double attention{0};
    double head{0};
};

ForwardFlop forward_flop(const ModelSizes& m) {
    return {2 * m.layers * m.layer_matrices(), (m.gated ? 2 : 4) * m.layers * sequence * m.n * m.d,
            2 * m.h * m.vocab};
}

/// What one iteration executes: the backward pass is twice the forward pass; flash attention's backward pass
/// 2.5 times its forward pass, unfused attention computes the half that causality masks as well.
double executed_flop(const ModelSizes& m, Attention attention, Recompute recompute) {
    const ForwardFlop forward = forward_flop(m);
    const bool flash = attention == Attention::flash;
    // Flash attention leaves out the scores that the causal mask hides, whether or not the model counts them.
    const double core = (flash ? 2 : 4) * m.layers * sequence * m.n * m.d;
    const double core_backward = core * (flash ? 2.5 : 2.0);
    double flop = 3 * forward.matrices + core + core_backward + 3 * forward.head;
    if (recompute == Recompute::full) flop += forward.matrices + core;
    // Selective recomputation of unfused attention makes the scores again, half of the core; the product
    // with the values is not needed again, and flash attention keeps what it needs.
    if (recompute == Recompute::selective && !flash) flop += core / 2;
    return flop * sequence * global_batch;
}

/// gpt's head shares the embedding's table; on another stage it has a copy.
double tied_copy(const ModelSizes& m, std::int64_t pp) {
    return !m.gated && pp > 1 ? m.vocab * m.h : 0.0;
}

/// Parameters that one data-parallel replica holds, copies counted, from the buffers of its ranks.
double resident_parameters(const graph::Graph& graph, std::int64_t zero) {
    double bytes = 0;
    for (const std::uint32_t program : graph.program_of) {
        for (const graph::BufferId id : graph.programs[program].resident) {
            const graph::Buffer& buffer = graph.buffers[id.index()];
            if (buffer.kind == graph::MemoryKind::parameters) bytes += buffer.size.value();
        }
    }
    const double shares = zero == 3 ? static_cast<double>(graph.mesh.degree(graph::MeshAxis::data)) : 1.0;
    return bytes * static_cast<double>(graph.mesh.degree(graph::MeshAxis::tensor)) * shares / 2;
}

class Conservation : public testing::TestWithParam<ModelSizes> {
  protected:
    /// Layouts that this model cannot have, since heads, layers or widths do not divide.
    static bool fits(const ModelSizes& m, std::int64_t tp, std::int64_t pp) {
        const auto divides = [](double whole, std::int64_t by) {
            return std::fmod(whole, static_cast<double>(by)) == 0;
        };
        return divides(m.k, tp) && divides(m.f, tp) && divides(m.vocab, tp) && divides(sequence, tp) &&
               m.layers >= static_cast<double>(pp);
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

TEST_P(Conservation, FlopsAndParametersOfEveryFactorisation) {
    const ModelSizes& m = GetParam();
    const ForwardFlop forward = forward_flop(m);
    const double model_flop =
        3 * (forward.matrices + forward.attention + forward.head) * sequence * global_batch;
    const double vectors = m.layers * m.layer_vectors() + m.head_vectors();
    const double split = m.layers * m.layer_matrices() + (m.gated ? 2 : 1) * m.vocab * m.h;
    int laid_out = 0;
    int refused = 0;
    for (std::int64_t devices = 1; devices <= 64; ++devices) {
        for (std::int64_t tp = 1; tp <= devices; ++tp) {
            for (std::int64_t pp = 1; tp * pp <= devices; ++pp) {
                if (devices % (tp * pp) != 0) continue;
                const std::int64_t dp = devices / (tp * pp);
                if (static_cast<std::int64_t>(global_batch) % dp != 0) continue;
                // Every ZeRO stage, recomputation, kernel and sequence parallelism comes round.
                const int turn = laid_out;
                graph::WorkloadSpec spec;
                spec.model = m.name;
                spec.global_batch = static_cast<std::int64_t>(global_batch);
                spec.sequence = static_cast<std::int64_t>(sequence);
                spec.layout.tp = tp;
                spec.layout.pp = pp;
                for (int option = 0; option < 8; ++option) {
                    spec.layout.sequence_parallel = option % 2 == 0;
                    spec.stack.attention = option / 2 % 2 == 0 ? Attention::flash : Attention::unfused;
                    spec.stack.recompute = static_cast<Recompute>((turn + option / 4) % 3);
                    spec.stack.zero = (turn + option) % 4;
                    const auto layout = graph::resolve(spec.layout, devices, spec.global_batch);
                    if (!fits(m, tp, pp)) {
                        EXPECT_THROW(static_cast<void>(frontend_.build(spec, layout)), ModelError)
                            << m.name << " tp " << tp << " pp " << pp;
                        ++refused;
                        continue;
                    }
                    const graph::Graph& graph = frontend_.build(spec, layout);
                    const graph::Totals totals = graph::totals(graph);
                    ASSERT_EQ(totals.model_flop.value(), model_flop)
                        << m.name << " tp " << tp << " pp " << pp << " dp " << dp << " option " << option;
                    ASSERT_EQ(totals.executed_flop.value(),
                              executed_flop(m, spec.stack.attention, spec.stack.recompute))
                        << m.name << " tp " << tp << " pp " << pp << " dp " << dp << " option " << option;
                    // A share is rounded up to whole bytes on every rank.
                    const double rounding = spec.stack.zero == 3 ? static_cast<double>(devices) : 0.0;
                    ASSERT_NEAR(resident_parameters(graph, spec.stack.zero),
                                split + vectors * static_cast<double>(tp) + tied_copy(m, pp), rounding)
                        << m.name << " tp " << tp << " pp " << pp << " dp " << dp << " option " << option;
                    ++laid_out;
                }
            }
        }
    }
    EXPECT_GT(laid_out, 500);
    EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, Conservation,
                         testing::Values(test::small_llama, test::small_gpt, test::wide_llama),
                         [](const auto& model) { return model.param.name; });

}  // namespace
}  // namespace dse
