#include "frontend/template/layer_partition.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

/// Takes layers off the front of the rows.
class Dealer {
  public:
    explicit Dealer(std::span<const BlockRow> rows) : rows_{rows} {}

    std::vector<Unit> take(std::int64_t layers) {
        std::vector<Unit> units;
        while (layers > 0) {
            const std::int64_t here = std::min(layers, rows_[row_].count - taken_);
            if (here > 0) units.push_back({rows_[row_].block, here});
            layers -= here;
            taken_ += here;
            if (taken_ == rows_[row_].count) {
                ++row_;
                taken_ = 0;
            }
        }
        return units;
    }

  private:
    std::span<const BlockRow> rows_;
    std::size_t row_{0};
    std::int64_t taken_{0};
};

/// Layers of global chunk `chunk`.
std::int64_t share(std::int64_t layers, std::int64_t chunks, std::int64_t chunk) {
    const std::int64_t rest = layers % chunks;
    // The ends of the pipeline last: chunks 1, 2, … get the layers that are left over.
    const bool extra = chunk >= 1 && chunk <= rest;
    return layers / chunks + (extra ? 1 : 0);
}

}  // namespace

std::vector<StageUnits> partition_layers(std::span<const BlockRow> rows, std::uint32_t stages,
                                         std::uint32_t chunks, graph::Placement placement) {
    std::vector<BlockRow> layers;
    std::vector<Unit> first;
    std::vector<Unit> last;
    std::int64_t count = 0;
    for (const BlockRow& row : rows) {
        if (row.count == 0) continue;
        if (!row.has_input) {
            first.push_back({row.block, row.count});
        } else if (!row.has_output) {
            last.push_back({row.block, row.count});
        } else {
            layers.push_back(row);
            count += row.count;
        }
    }
    // Two copies of a model are dealt alike.
    const std::uint32_t copies = placement == graph::Placement::mirrored ? chunks : 1;
    const std::int64_t pieces = static_cast<std::int64_t>(stages) * chunks / copies;
    if (count < pieces) {
        throw ModelError(fmt::format("{} layers are fewer than {} stages x {} virtual stages", count, stages,
                                     chunks / copies));
    }
    Dealer dealer(layers);
    StageUnits dealt;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        std::vector<Unit> units = dealer.take(share(count, pieces, piece));
        if (piece == 0) units.insert(units.begin(), first.begin(), first.end());
        if (piece == pieces - 1) units.insert(units.end(), last.begin(), last.end());
        dealt.push_back(std::move(units));
    }
    std::vector<StageUnits> result(stages);
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
            result[stage].push_back(dealt[graph::piece_of(placement, stage, chunk, stages)]);
    }
    return result;
}

}  // namespace dse::frontend
