#include "dse/serving/prefix_cache.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::serving {

PrefixCache::PrefixCache(std::size_t pieces, std::int64_t piece_pages, std::int64_t pages,
                         std::size_t sequences)
    : pieces_(pieces + sequences), names_{pieces}, piece_pages_{piece_pages}, end_pages_{pages} {}

std::size_t PrefixCache::hits(std::span<const std::uint32_t> pieces) const {
    const auto missing =
        std::ranges::find_if(pieces, [&](std::uint32_t piece) { return pieces_[piece].users < 0; });
    return static_cast<std::size_t>(missing - pieces.begin());
}

std::int64_t PrefixCache::idle_pages(std::span<const std::uint32_t> hits) const {
    const auto idle =
        std::ranges::count_if(hits, [&](std::uint32_t piece) { return pieces_[piece].users == 0; });
    return static_cast<std::int64_t>(idle) * piece_pages_;
}

bool PrefixCache::use(std::uint32_t piece) {
    const bool idle = pieces_[piece].users == 0;
    DSE_EXPECT(pieces_[piece].users >= 0);
    if (idle) unlink(static_cast<Place>(piece));
    ++pieces_[piece].users;
    return idle;
}

bool PrefixCache::add(std::uint32_t piece) {
    if (pieces_[piece].users >= 0) return false;
    pieces_[piece].users = 1;
    return true;
}

bool PrefixCache::leave(std::uint32_t piece) {
    Piece& left = pieces_[piece];
    DSE_EXPECT(left.users > 0);
    if (--left.users > 0) return false;
    append(static_cast<Place>(piece));
    return true;
}

void PrefixCache::leave_behind(std::uint32_t sequence, std::int64_t pages) {
    DSE_EXPECT(left_behind(sequence) == 0 && pages >= 0);
    if (pages == 0) return;
    // By priority, or with adapters, more may be preempted and running than run at once.
    const std::size_t needed = names_ + sequence + 1;
    if (pieces_.size() < needed) pieces_.resize(needed);
    at(place_of(sequence)).left = pages;
    append(place_of(sequence));
}

std::int64_t PrefixCache::left_behind(std::uint32_t sequence) const {
    const std::size_t place = names_ + sequence;
    return place < pieces_.size() ? pieces_[place].left : 0;
}

void PrefixCache::take_up(std::uint32_t sequence) {
    if (left_behind(sequence) == 0) return;
    at(place_of(sequence)).left = 0;
    unlink(place_of(sequence));
}

void PrefixCache::forget(std::uint32_t sequence) {
    if (left_behind(sequence) == 0) return;
    Piece& left = at(place_of(sequence));
    left.pages_before += left.left;
    left.left = 0;
    unlink(place_of(sequence));
}

/// Adds a piece to the end of the queue.
void PrefixCache::append(Place place) {
    Piece& piece = at(place);
    piece.pages_before = end_pages_;
    end_pages_ = 0;
    piece.before = last_;
    piece.after = nobody;
    (last_ == nobody ? first_ : at(last_).after) = place;
    last_ = place;
}

/// Removes a piece from the queue. The pages before it are then counted before the next one.
void PrefixCache::unlink(Place place) {
    Piece& piece = at(place);
    (piece.after == nobody ? end_pages_ : at(piece.after).pages_before) += piece.pages_before;
    (piece.before == nobody ? first_ : at(piece.before).after) = piece.after;
    (piece.after == nobody ? last_ : at(piece.after).before) = piece.before;
    piece.pages_before = 0;
}

void PrefixCache::take(std::int64_t pages) {
    while (first_ != nobody && pages > at(first_).pages_before) {
        Piece& piece = at(first_);
        if (piece.left > 0) {
            // A sequence loses its last pages, and keeps the others.
            pages -= piece.pages_before;
            piece.pages_before = 0;
            const std::int64_t lost = std::min(pages, piece.left);
            piece.left -= lost;
            pages -= lost;
            if (piece.left == 0) unlink(first_);
            continue;
        }
        // The piece is evicted and all of its pages become plain; those not taken now move in front of the
        // next piece.
        piece.pages_before += piece_pages_;
        piece.users = -1;
        unlink(first_);
    }
    std::int64_t& front = first_ == nobody ? end_pages_ : at(first_).pages_before;
    DSE_EXPECT(pages <= front);
    front -= pages;
}

}  // namespace dse::serving
