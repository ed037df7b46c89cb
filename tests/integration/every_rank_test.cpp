// The traces of all ranks of every layout of up to 64 devices: what one rank sends another receives, whoever
// meets agrees on what and how much and in which order, nobody meets alone, and all of them together do the
// work of one device.
#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/sanitizers.hpp"
#include "dse/graph/totals.hpp"
#include "dse/trace/chakra/export.hpp"
#include "small_models.hpp"
#include "support/temporary_folder.hpp"
#include "support/trace_world.hpp"

namespace dse {
namespace {

using graph::ContextAttention;
using graph::Recompute;
using graph::ScheduleKind;

constexpr std::int64_t sequence = 64;
// Under sanitizers every instruction costs several; the paths are the same.
constexpr std::int64_t most_devices = sanitizes_addresses || sanitizes_threads ? 16 : 64;

struct Family {
    std::string model;
    bool experts{false};

    friend void PrintTo(const Family& family, std::ostream* out) { *out << family.model; }
};

class EveryRank : public testing::TestWithParam<Family> {
  protected:
    /// A point of the space of layouts, every other option coming round with its number.
    static graph::WorkloadSpec spec_of(const std::string& model, std::int64_t dp, std::int64_t tp,
                                       std::int64_t cp, std::int64_t pp, std::int64_t ep, int number) {
        graph::WorkloadSpec spec;
        spec.model = model;
        spec.sequence = sequence;
        spec.layout.tp = tp;
        spec.layout.cp = cp;
        spec.layout.pp = pp;
        spec.layout.ep = ep;
        spec.layout.etp = number % 2 == 0 ? 0 : 1;
        spec.layout.sequence_parallel = number % 3 != 0;
        spec.layout.rank_order = static_cast<graph::RankOrder>(number % 24);
        spec.stack.zero = number % 4;
        spec.stack.recompute = static_cast<Recompute>(number % 3);
        spec.stack.cp_attention = static_cast<ContextAttention>(number % 3);
        spec.layout.schedule = std::array{ScheduleKind::one_f_one_b, ScheduleKind::gpipe,
                                          ScheduleKind::zb_h1}[static_cast<std::size_t>(number) % 3];
        // Enough microbatches that the schedules differ, no more.
        spec.global_batch = dp * std::min<std::int64_t>(pp, 3);
        return spec;
    }

    /// Checks the traces of all ranks. \return FLOPs, all ranks together, a sequence
    double flop_of_traces(const graph::Graph& graph, std::int64_t sequences) {
        const test::TemporaryFolder folder;
        const trace::chakra::ExportOptions options{folder.path("t"),
                                                   trace::chakra::every_rank(graph.mesh),
                                                   trace::chakra::Compression::none,
                                                   {},
                                                   {}};
        trace::chakra::export_traces(graph, {}, options);
        const test::TraceWorld world{options.prefix, options.ranks.size()};
        EXPECT_GE(world.play(1), 0) << "not everything ever starts";
        nodes_ += world.nodes;
        // Numbers of operations are whole in a trace.
        EXPECT_NEAR(world.num_ops, graph::totals(graph).executed_flop.value(),
                    0.5 * static_cast<double>(world.nodes));
        return graph::totals(graph).model_flop.value() / static_cast<double>(sequences);
    }

    /// All factorisations of some devices. \return how many of them the model can have
    int lay_out(const Family& family, std::int64_t devices, double& flop) {
        int laid_out = 0;
        const auto each_divisor = [](std::int64_t whole, auto&& visit) {
            for (std::int64_t d = 1; d <= whole; ++d) {
                if (whole % d == 0) visit(d);
            }
        };
        each_divisor(devices, [&](std::int64_t pp) {
            each_divisor(devices / pp, [&](std::int64_t tp) {
                each_divisor(devices / pp / tp, [&](std::int64_t cp) {
                    const std::int64_t dp = devices / pp / tp / cp;
                    each_divisor(family.experts ? dp * cp : 1, [&](std::int64_t ep) {
                        const auto spec = spec_of(family.model, dp, tp, cp, pp, ep, number_++);
                        try {
                            const graph::Graph& graph = frontend_.build(
                                spec, graph::resolve(spec.layout, devices, spec.global_batch));
                            const double found = flop_of_traces(graph, spec.global_batch);
                            if (flop == 0) flop = found;
                            EXPECT_DOUBLE_EQ(found, flop);
                            ++laid_out;
                        } catch (const ModelError&) {
                            ++refused_;
                        }
                        if (HasFailure()) {
                            ADD_FAILURE() << "dp " << dp << " tp " << tp << " cp " << cp << " pp " << pp
                                          << " ep " << ep << " number " << number_ - 1;
                        }
                    });
                });
            });
        });
        return laid_out;
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
    std::uint64_t nodes_{0};
    int number_{0};
    int refused_{0};
};

TEST_P(EveryRank, MeetsItsPeersAndDoesItsShare) {
    double flop = 0;
    int laid_out = 0;
    for (std::int64_t devices = 1; devices <= most_devices; ++devices) {
        laid_out += lay_out(GetParam(), devices, flop);
        if (HasFailure()) return;
    }
    EXPECT_GT(flop, 0);
    EXPECT_GT(laid_out, most_devices);
    fmt::print("  {} layouts, {} nodes; {} layouts refused\n", laid_out, nodes_, refused_);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryRank,
                         testing::Values(Family{"small_llama"}, Family{"small_gpt"},
                                         Family{"small_moe", true}),
                         [](const auto& made) { return made.param.model; });

}  // namespace
}  // namespace dse
