// Memory of a rank by kind, summed over the buffers of its program, against the closed forms of
// docs/theory/memory.md: model states by ZeRO stage, activations a layer, microbatches in flight by schedule.
#include <cmath>

#include <gtest/gtest.h>

#include "dse/sim/engine.hpp"
#include "stage_memory.hpp"
#include "support/source_dir.hpp"

namespace dse {
namespace {

using graph::Attention;
using graph::MemoryKind;
using graph::Recompute;
using graph::ScheduleKind;
using test::ModelSizes;
using test::RegionMemory;

constexpr double sequence = 32;

struct Case {
    ModelSizes model;
    std::int64_t tp{1};
    bool sequence_parallel{true};
    Recompute recompute{Recompute::none};
    Attention attention{Attention::flash};
    std::int64_t pp{1};
    std::int64_t dp{1};
    std::int64_t zero{0};
    ScheduleKind schedule{ScheduleKind::one_f_one_b};
    std::int64_t virtual_stages{1};
    std::int64_t microbatch{1};
    std::int64_t microbatches{4};
    std::int64_t prefetch{1};
};

std::string describe(const Case& c) {
    return fmt::format(
        "{} tp {} sp {} recompute {} attention {} pp {} dp {} zero {} schedule {} v {} b {} m {}",
        c.model.name, c.tp, c.sequence_parallel, static_cast<int>(c.recompute), static_cast<int>(c.attention),
        c.pp, c.dp, c.zero, static_cast<int>(c.schedule), c.virtual_stages, c.microbatch, c.microbatches);
}

/// Saved bytes a layer and microbatch. Terms in bytes for each of the s·b tokens, in 16 bits.
double saved_by_layer(const Case& c) {
    const ModelSizes& m = c.model;
    const double t = static_cast<double>(c.tp);
    // What lies between the tensor-parallel regions is whole on every rank without sequence parallelism.
    const double outside = c.sequence_parallel ? t : 1.0;
    const double tokens = sequence * static_cast<double>(c.microbatch);
    if (c.recompute == Recompute::full) return tokens * 2 * m.h / outside;
    const bool selective = c.recompute == Recompute::selective;
    if (m.gated) {
        // §2.2: norms' inputs 4h and outputs 4h; QKV 2(q + 2k), attention 2q, gate and up 4f, their product
        // 2f. Flash attention keeps 4n of statistics; unfused, its probabilities 2·n·s. Selective drops the
        // norms' outputs, the product, and what unfused attention keeps.
        const double q = m.n * m.d;
        const double k = m.k * m.d;
        const double core = c.attention == Attention::flash ? 4 * m.n : selective ? 0 : 2 * m.n * sequence;
        return tokens *
               ((selective ? 4 : 8) * m.h / outside + (4 * q + 4 * k + (selective ? 4 : 6) * m.f + core) / t);
    }
    // Korthikanti et al. 2022, equation 1 and table 2: s·b·h(10 + 24/t + 5·n·s/(h·t)), all of it /t under
    // sequence parallelism; the attention core's 5·n·s/h goes with selective recomputation. Flash attention
    // keeps 4n bytes in its place.
    const double core = c.attention == Attention::flash ? 4 * m.n : selective ? 0 : 5 * m.n * sequence;
    return tokens * (10 * m.h / outside + (24 * m.h + core) / t);
}

/// The head: probabilities in fp32, the norm's input and output. docs/theory/memory.md 2.2: (4V + 4h)·s·b/t.
double saved_by_head(const Case& c) {
    const double t = static_cast<double>(c.tp);
    return sequence * static_cast<double>(c.microbatch) *
           (4 * c.model.vocab / t + 4 * c.model.h / (c.sequence_parallel ? t : 1.0));
}

class Memory : public testing::TestWithParam<ModelSizes> {
  protected:
    const graph::Graph& build(const Case& c) {
        graph::WorkloadSpec spec;
        spec.model = c.model.name;
        spec.global_batch = c.microbatch * c.microbatches * c.dp;
        spec.sequence = static_cast<std::int64_t>(sequence);
        spec.layout.tp = c.tp;
        spec.layout.pp = c.pp;
        spec.layout.microbatch = c.microbatch;
        spec.layout.schedule = c.schedule;
        spec.layout.virtual_stages = c.virtual_stages;
        spec.layout.sequence_parallel = c.sequence_parallel;
        spec.stack.zero = c.zero;
        spec.stack.prefetch = c.prefetch;
        spec.stack.recompute = c.recompute;
        spec.stack.attention = c.attention;
        return frontend_.build(spec, graph::resolve(spec.layout, c.tp * c.pp * c.dp, spec.global_batch));
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

TEST_P(Memory, ActivationsAMicrobatchAreTheClosedForms) {
    int compared = 0;
    for (const std::int64_t tp : {1, 2, 4}) {
        for (const bool sequence_parallel : {true, false}) {
            for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
                for (const Attention attention : {Attention::flash, Attention::unfused}) {
                    for (const std::int64_t pp : {1, 2, 4}) {
                        for (const std::int64_t microbatch : {1, 3}) {
                            Case c{GetParam(), tp, sequence_parallel, recompute, attention, pp};
                            c.microbatch = microbatch;
                            const graph::Graph& graph = build(c);
                            for (std::int64_t stage = 0; stage < pp; ++stage) {
                                const auto& program =
                                    graph.programs[graph.program_of[static_cast<std::size_t>(stage)]];
                                const double expected =
                                    saved_by_layer(c) * c.model.layers / static_cast<double>(pp) +
                                    (stage + 1 == pp ? saved_by_head(c) : 0.0);
                                const auto& chunk = program.chunks.front();
                                const RegionMemory forward(graph, program, chunk.forward);
                                const RegionMemory backward(graph, program, chunk.backward);
                                ASSERT_EQ(forward.net(), expected) << describe(c) << " stage " << stage;
                                ASSERT_EQ(forward.net(MemoryKind::activations), expected) << describe(c);
                                ASSERT_EQ(backward.net(), -expected) << describe(c) << " stage " << stage;
                                ASSERT_EQ(RegionMemory(graph, program, chunk.forward_first).net(), expected);
                                ASSERT_EQ(RegionMemory(graph, program, chunk.backward_last).net(), -expected);
                                ++compared;
                            }
                        }
                    }
                }
            }
        }
    }
    EXPECT_EQ(compared, 3 * 2 * 3 * 2 * 7 * 2);
}

/// Mixed precision and Adam: 2 B of parameters, 4 B of gradients, 12 B of master copy and moments; ZeRO
/// divides the optimizer's, the gradients', the parameters' share by the data-parallel degree.
TEST_P(Memory, StatesFollowTheZeroStage) {
    for (const std::int64_t tp : {1, 2}) {
        for (const std::int64_t pp : {1, 2}) {
            for (const std::int64_t dp : {1, 2, 8}) {
                for (const std::int64_t zero : {0, 1, 2, 3}) {
                    Case c{GetParam(), tp, true, Recompute::none, Attention::flash, pp, dp, zero};
                    const graph::Graph& graph = build(c);
                    for (std::int64_t stage = 0; stage < pp; ++stage) {
                        const ModelSizes& m = c.model;
                        const double t = static_cast<double>(tp);
                        const double table = m.vocab * m.h / t;
                        double parameters =
                            m.layers / static_cast<double>(pp) * (m.layer_matrices() / t + m.layer_vectors());
                        const bool last = stage + 1 == pp;
                        if (stage == 0) parameters += table;
                        if (last) parameters += m.head_vectors();
                        // gpt's head shares the embedding's table; on another stage it has a copy.
                        if (last && (m.gated || pp > 1)) parameters += table;
                        const auto shared = [&](std::int64_t from, double bytes) {
                            return bytes * parameters / static_cast<double>(zero >= from ? dp : 1);
                        };
                        const auto resident = test::resident(graph, static_cast<std::size_t>(stage));
                        const std::map<MemoryKind, double> expected{
                            {MemoryKind::parameters, shared(3, 2)},
                            {MemoryKind::gradients, shared(2, 4)},
                            {MemoryKind::optimizer, shared(1, 12)},
                        };
                        ASSERT_EQ(resident, expected) << describe(c) << " stage " << stage;
                    }
                }
            }
        }
    }
}

/// Forward passes of a chunk that wait for their backward pass at once. docs/theory/memory.md 2.2.
double in_flight(const Case& c, std::int64_t stage) {
    const double all = static_cast<double>(c.microbatches * c.virtual_stages);
    const double after = static_cast<double>(c.pp - 1 - stage);
    switch (c.schedule) {
        case ScheduleKind::gpipe:
            return all;
        case ScheduleKind::one_f_one_b:
        case ScheduleKind::zb_h1:
            return std::min(all, after + 1);
        case ScheduleKind::interleaved:
            // The first stage: p·v·(1 + (p - 1)/(p·v)).
            return std::min(all, 2 * after + static_cast<double>((c.virtual_stages - 1) * c.pp) + 1);
        case ScheduleKind::zb_v:
        case ScheduleKind::dualpipe:
            break;  // by PeakOfSchedulesThatGoBothWays
    }
    return 0;
}

/// The engine's peak: states, what is in flight, and what one more pass needs on top.
TEST_P(Memory, PeakIsStatesAndMicrobatchesInFlight) {
    const auto engine = sim::engines().find("folded")();
    int compared = 0;
    for (const auto& [schedule, virtual_stages] : {std::pair{ScheduleKind::gpipe, 1},
                                                   {ScheduleKind::one_f_one_b, 1},
                                                   {ScheduleKind::interleaved, 2}}) {
        for (const std::int64_t pp : {1, 2, 4}) {
            if (schedule == ScheduleKind::interleaved && pp == 1) continue;
            for (const std::int64_t microbatches : {4, 16}) {
                for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
                    for (const std::int64_t zero : {0, 1, 3}) {
                        Case c{GetParam(), 2, true, recompute, Attention::flash, pp, 2, zero, schedule};
                        c.virtual_stages = virtual_stages;
                        c.microbatches = microbatches;
                        const graph::Graph& graph = build(c);
                        const sim::MemoryPeak peak = engine->peak_memory(graph);

                        double expected = 0;
                        for (std::int64_t stage = 0; stage < pp; ++stage) {
                            const auto& program =
                                graph.programs[graph.program_of[static_cast<std::size_t>(stage)]];
                            double states = 0;
                            for (const graph::BufferId id : program.resident)
                                states += graph.buffers[id.index()].size.value();
                            const double chunk_saves =
                                saved_by_layer(c) * c.model.layers / static_cast<double>(pp * virtual_stages);
                            const double others = (in_flight(c, stage) - 1) * chunk_saves;
                            for (const auto& chunk : program.chunks) {
                                const bool head = stage + 1 == pp && &chunk == &program.chunks.back();
                                const double own = chunk_saves + (head ? saved_by_head(c) : 0.0);
                                const RegionMemory forward(graph, program, chunk.forward);
                                const RegionMemory backward(graph, program, chunk.backward);
                                // GPipe keeps the head's activations of every microbatch.
                                const double heads = head && schedule == ScheduleKind::gpipe
                                                         ? (in_flight(c, stage) - 1) * saved_by_head(c)
                                                         : 0.0;
                                expected = std::max({expected, states + others + heads + forward.peak(),
                                                     states + others + heads + own + backward.peak()});
                            }
                        }
                        if (schedule == ScheduleKind::interleaved) {
                            // Chunks differ at the ends of the model (embedding, head): an upper bound that
                            // assumes the largest chunk's pass at the fullest moment.
                            ASSERT_LE(peak.total, expected) << describe(c);
                            ASSERT_GE(peak.total, expected * 0.9) << describe(c);
                        } else {
                            ASSERT_EQ(peak.total, expected) << describe(c);
                        }
                        ++compared;
                    }
                }
            }
        }
    }
    EXPECT_EQ(compared, (3 + 3 + 2) * 2 * 3 * 3);
}

/// What the tasks of a stage hold at most, from their list. \param most  microbatches of whole stages in
/// flight
double peak_of_tasks(const graph::Graph& graph, std::uint32_t stage) {
    const auto& program = graph.programs[graph.program_of[stage]];
    const std::vector<graph::Task>& tasks = graph.schedule.tasks[stage];
    double level = 0;
    for (const graph::BufferId id : program.resident) level += graph.buffers[id.index()].size.value();
    double peak = level;
    for (std::size_t t = 0; t < tasks.size(); t += graph::played_together(tasks[t])) {
        const RegionMemory played(graph, program, region_of(program, tasks[t], graph.schedule));
        peak = std::max(peak, level + played.peak());
        level += played.net();
    }
    return peak;
}

/// docs/theory/memory.md: at most p microbatches of a stage in flight under ZB-V, p + 1 and two copies of the
/// states under DualPipe: what the first stage of 1F1B keeps for p microbatches, but for the head, which it
/// has not.
TEST_P(Memory, PeakOfSchedulesThatGoBothWays) {
    const auto engine = sim::engines().find("folded")();
    for (const ScheduleKind schedule : {ScheduleKind::zb_v, ScheduleKind::dualpipe}) {
        for (const std::int64_t pp : {2, 4}) {
            for (const std::int64_t zero : {0, 1, 3}) {
                for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
                    Case c{GetParam(), 2, true, recompute, Attention::flash, pp, 2, zero, schedule};
                    c.microbatches = 16;
                    const graph::Graph& graph = build(c);
                    const sim::MemoryPeak peak = engine->peak_memory(graph);
                    double expected = 0;
                    for (std::uint32_t stage = 0; stage < pp; ++stage)
                        expected = std::max(expected, peak_of_tasks(graph, stage));
                    ASSERT_EQ(peak.total, expected) << describe(c);

                    // Recomputation undone waits for the weight pass, and ZeRO-3 has its peak elsewhere.
                    if (recompute != Recompute::none || zero == 3) continue;
                    const double extra =
                        schedule == ScheduleKind::dualpipe ? 1.0 / static_cast<double>(pp) : 0.0;
                    const double in_flight =
                        peak.by_kind[static_cast<std::size_t>(graph::MemoryKind::activations)] /
                        (saved_by_layer(c) * c.model.layers);
                    ASSERT_GE(in_flight, 0.85 * (1 + extra)) << describe(c);
                    ASSERT_LE(in_flight, 1.15 * (1 + extra)) << describe(c);
                }
            }
        }
    }
}

/// ZeRO-3 gathers `prefetch` blocks ahead: 2 B a parameter each; its backward pass holds the whole gradients
/// of two blocks, 4 B a parameter. docs/theory/memory.md 2.1: the working set.
TEST_P(Memory, FullyShardedHoldsTheBlocksThatItGathersAhead) {
    const ModelSizes& m = GetParam();
    const double layer = m.layer_matrices() + m.layer_vectors();
    for (const std::int64_t prefetch : {0, 1, 2, 3}) {
        Case c{m, 1, true, Recompute::none, Attention::flash, 1, 2, 3};
        c.prefetch = prefetch;
        const graph::Graph& graph = build(c);
        const auto& program = graph.programs.front();
        const auto& chunk = program.chunks.front();
        const double gathered = 2 * layer * static_cast<double>(prefetch + 1);
        EXPECT_EQ(RegionMemory(graph, program, chunk.forward).peak(MemoryKind::communication), gathered);
        EXPECT_EQ(RegionMemory(graph, program, chunk.forward).net(MemoryKind::communication), 0);
        EXPECT_EQ(RegionMemory(graph, program, chunk.backward).peak(MemoryKind::communication),
                  gathered + 2 * 4 * layer);
        EXPECT_EQ(RegionMemory(graph, program, chunk.backward).net(MemoryKind::communication), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Small, Memory, testing::Values(test::small_llama, test::small_gpt),
                         [](const auto& model) { return model.param.name; });

/// Korthikanti et al. 2022, figure 1 and table 2: the 22B model at tp 8, microbatch 4: 59.25 GiB of
/// activations a GPU without recomputation or sequence parallelism (48 layers, the head not counted).
TEST(PublishedMemory, ActivationsOfThe22BModel) {
    frontend::TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec;
    spec.model = "megatron_22b";
    spec.global_batch = 4;
    spec.sequence = 2048;
    spec.layout.tp = 8;
    spec.layout.microbatch = 4;
    spec.layout.sequence_parallel = false;
    spec.stack.attention = Attention::unfused;
    const graph::Graph& graph = frontend.build(spec, graph::resolve(spec.layout, 8, 4));
    const auto& program = graph.programs.front();
    const RegionMemory forward(graph, program, program.chunks.front().forward);
    const double head = 2048.0 * 4 * (4 * 51200.0 / 8 + 4 * 6144);
    EXPECT_EQ(forward.net() - head, 59.25 * 1024 * 1024 * 1024);
}

}  // namespace
}  // namespace dse
