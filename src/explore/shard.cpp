#include "dse/explore/shard.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::explore {
namespace {

constexpr std::uint64_t most_shards = 1'000'000;
constexpr std::uint64_t pieces_each = 64;

bool parse_count(std::string_view text, std::uint64_t& count) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

}  // namespace

Shard parse_shard(std::string_view text) {
    Shard shard;
    const std::size_t slash = text.find('/');
    const bool read = slash != std::string_view::npos && parse_count(text.substr(0, slash), shard.index) &&
                      parse_count(text.substr(slash + 1), shard.number);
    if (read && shard.index >= 1 && shard.index <= shard.number && shard.number <= most_shards) return shard;
    throw InputError(fmt::format(
        "'{}' is not a shard: write I/N with I from 1 to N, as in 2/8, the second of eight (N is at "
        "most {})",
        text, most_shards));
}

results::IntervalSet others(Shard shard, std::uint64_t size) {
    const std::uint64_t pieces = std::min(size, shard.number * pieces_each);
    std::vector<results::Interval> intervals;
    // The first size % pieces of them have one additional index.
    const auto begin = [&](std::uint64_t piece) {
        return piece * (size / pieces) + std::min(piece, size % pieces);
    };
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
        if (piece % shard.number != shard.index - 1) intervals.push_back({begin(piece), begin(piece + 1)});
    }
    return results::IntervalSet{std::move(intervals)};
}

}  // namespace dse::explore
