#include "dse/serving/host_cache.hpp"

#include <algorithm>

namespace dse::serving {

HostCache::HostCache(std::size_t names, std::int64_t pieces)
    : pieces_(pieces > 0 ? names : 0), room_{pieces} {}

std::size_t HostCache::hits(std::span<const std::uint32_t> pieces) const {
    if (room_ == 0) return 0;
    const auto missing =
        std::ranges::find_if(pieces, [&](std::uint32_t piece) { return !pieces_[piece].kept; });
    return static_cast<std::size_t>(missing - pieces.begin());
}

void HostCache::unlink(Place place) {
    const Piece& piece = at(place);
    (piece.before == nobody ? first_ : at(piece.before).after) = piece.after;
    (piece.after == nobody ? last_ : at(piece.after).before) = piece.before;
}

void HostCache::keep(std::uint32_t piece) {
    if (room_ == 0) return;
    const auto place = static_cast<Place>(piece);
    if (at(place).kept) {
        unlink(place);
    } else if (kept_ == room_) {
        const Place gone = first_;
        unlink(gone);
        at(gone).kept = false;
    } else {
        ++kept_;
    }
    at(place) = {last_, nobody, true};
    (last_ == nobody ? first_ : at(last_).after) = place;
    last_ = place;
}

}  // namespace dse::serving
