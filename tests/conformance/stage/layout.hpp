#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>

#include "conformance/stage/ledger.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::conformance::stage {

/// A model and a layout that STAGE was run on: `command.txt` of its folder.
struct Layout {
    std::string folder;
    std::string model;
    std::int64_t sequences{16};  ///< a step
    std::int64_t microbatches{1};
    std::int64_t dp{1};  ///< STAGE's, which does not count the ranks of ep
    std::int64_t tp{1};
    std::int64_t cp{1};
    std::int64_t ep{1};
    std::int64_t pp{1};
    bool sequence_parallel{true};
    std::int64_t zero{0};

    [[nodiscard]] std::int64_t ranks() const { return dp * tp * cp * ep * pp; }

    /// The same for us: experts lie over the data-parallel ranks, everything is counted in two bytes.
    [[nodiscard]] graph::WorkloadSpec spec() const {
        graph::WorkloadSpec spec;
        spec.model = model;
        spec.global_batch = sequences;
        spec.sequence = 512;
        spec.layout.tp = tp;
        spec.layout.cp = cp;
        spec.layout.ep = ep;
        spec.layout.pp = pp;
        spec.layout.microbatch = sequences / (dp * ep * microbatches);
        spec.layout.sequence_parallel = sequence_parallel;
        const auto orders = graph::choice_names(graph::RankOrder{});
        spec.layout.rank_order =
            static_cast<graph::RankOrder>(std::ranges::find(orders, "dp-tp-cp-ep-pp") - orders.begin());
        spec.stack.zero = zero;
        spec.stack.gradient_precision = graph::Precision::bf16;
        spec.stack.cp_attention = graph::ContextAttention::all_gather;
        return spec;
    }

    friend void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.folder; }
};

/// Where a rank stands in STAGE's order: dp fastest, then tp, cp, ep, pp.
class Place {
  public:
    Place(const Layout& layout, std::int64_t rank) : layout_{layout}, rank_{rank} {}

    [[nodiscard]] std::int64_t stage() const { return rank_ / (layout_.ranks() / layout_.pp); }
    [[nodiscard]] Ranks tp() const { return line(layout_.dp, layout_.tp); }
    [[nodiscard]] Ranks ep() const { return line(layout_.dp * layout_.tp * layout_.cp, layout_.ep); }
    [[nodiscard]] Ranks dp() const { return line(1, layout_.dp); }
    /// Ranks with the same parameters: dp and cp. Of STAGE's layouts none has both.
    [[nodiscard]] Ranks replicas() const {
        return layout_.cp > 1 ? line(layout_.dp * layout_.tp, layout_.cp) : dp();
    }
    [[nodiscard]] Ranks all() const { return line(1, layout_.ranks()); }

  private:
    /// Ranks that differ along one axis.
    [[nodiscard]] Ranks line(std::int64_t stride, std::int64_t degree) const {
        const std::int64_t first = rank_ - rank_ / stride % degree * stride;
        Ranks ranks;
        for (std::int64_t i = 0; i < degree; ++i) ranks.push_back(first + i * stride);
        return ranks;
    }

    const Layout& layout_;
    std::int64_t rank_;
};

}  // namespace dse::conformance::stage
