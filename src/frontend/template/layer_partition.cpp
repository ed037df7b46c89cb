#include "frontend/template/layer_partition.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "frontend/template/words.hpp"

namespace dse::frontend {
namespace {

/// Takes layers from the front of the rows.
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

/// Number of layers of the global chunk `chunk`.
std::int64_t share(std::int64_t layers, std::int64_t chunks, std::int64_t chunk) {
    const std::int64_t rest = layers % chunks;
    // Chunks 1, 2, … get the remaining layers, so that the ends of the pipeline have the fewest.
    const bool extra = chunk >= 1 && chunk <= rest;
    return layers / chunks + (extra ? 1 : 0);
}

/// Shares that are as equal as possible, with the ends of the model counted as layers.
std::vector<std::int64_t> equal_shares(std::int64_t layers, std::int64_t pieces, const LayerShares& ends) {
    const std::int64_t counted = layers + ends.embedding + ends.head;
    std::vector<std::int64_t> shares;
    for (std::int64_t piece = 0; piece < pieces; ++piece) shares.push_back(share(counted, pieces, piece));
    shares.front() -= ends.embedding;
    shares.back() -= ends.head;
    return shares;
}

void require_stated(const std::vector<std::int64_t>& stated, std::int64_t layers, std::int64_t pieces,
                    const LayerShares& shares) {
    if (shares.embedding != 0 || shares.head != 0)
        throw ModelError("stage_layers says all: with it embedding_layers and head_layers must be 0");
    if (static_cast<std::int64_t>(stated.size()) != pieces) {
        throw ModelError(fmt::format("stage_layers has {} numbers, but the pipeline has {} pieces",
                                     stated.size(), pieces));
    }
    const std::int64_t sum = std::accumulate(stated.begin(), stated.end(), std::int64_t{0});
    if (sum != layers)
        throw ModelError(fmt::format("stage_layers adds up to {}, but the model has {} layers", sum, layers));
}

/// \param ends  whether the first and the last piece contain an embedding or a head
void require_filled(const std::vector<std::int64_t>& shares, std::pair<bool, bool> ends) {
    for (std::size_t piece = 0; piece < shares.size(); ++piece) {
        const bool may_be_empty = (piece == 0 && ends.first) || (piece + 1 == shares.size() && ends.second);
        if (shares[piece] > 0 || (shares[piece] == 0 && may_be_empty)) continue;
        throw ModelError(
            fmt::format("piece {} of {} of the pipeline would have {} layers beside what counts as layers "
                        "there (stage_layers, embedding_layers, head_layers)",
                        piece + 1, shares.size(), shares[piece]));
    }
}

/// Parses an entry of `stage_layers`: a number of layers, optionally with a repeat count ("8*14"). Nothing if
/// it is neither.
std::optional<std::pair<std::int64_t, std::int64_t>> parse_share(const std::string& text) {
    constexpr std::int64_t most = 1'000'000;  // limit for layers and pieces
    std::int64_t layers = 0;
    std::int64_t times = 1;
    const char* end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, layers);
    if (read.ec == std::errc{} && read.ptr != end && *read.ptr == '*')
        read = std::from_chars(read.ptr + 1, end, times);
    const bool is_whole = read.ec == std::errc{} && read.ptr == end;
    if (!is_whole || layers < 0 || layers > most || times < 1 || times > most) return std::nullopt;
    return std::pair{layers, times};
}

}  // namespace

std::vector<std::int64_t> parse_stage_layers(const std::string& text) {
    std::vector<std::int64_t> shares;
    for (const std::string& word : words_of(text)) {
        const auto share = parse_share(word);
        if (!share || shares.size() > 1'000'000) {
            throw ModelError(fmt::format(
                "stage_layers: '{}' is neither a number of layers nor one and how often, as 8*14", word));
        }
        shares.insert(shares.end(), static_cast<std::size_t>(share->second), share->first);
    }
    return shares;
}

std::vector<StageUnits> partition_layers(std::span<const BlockRow> rows, std::uint32_t stages,
                                         std::uint32_t chunks, graph::Placement placement,
                                         const LayerShares& shares) {
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
    // Two copies of a model are distributed equally.
    const std::uint32_t copies = placement == graph::Placement::mirrored ? chunks : 1;
    const std::int64_t pieces = static_cast<std::int64_t>(stages) * chunks / copies;
    if (count < pieces && shares.embedding == 0 && shares.head == 0 && shares.pieces.empty()) {
        throw ModelError(fmt::format("{} layers are fewer than {} stages x {} virtual stages", count, stages,
                                     chunks / copies));
    }
    const std::vector<std::int64_t> counts =
        shares.pieces.empty() ? equal_shares(count, pieces, shares) : shares.pieces;
    if (!shares.pieces.empty()) require_stated(counts, count, pieces, shares);
    require_filled(counts, {!first.empty(), !last.empty()});
    Dealer dealer(layers);
    StageUnits dealt;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        std::vector<Unit> units = dealer.take(counts[static_cast<std::size_t>(piece)]);
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
