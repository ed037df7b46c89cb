#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dse::serving {

/// Beginnings of prompts that stay in a paged cache when nobody uses them any more, until their pages are
/// needed: vLLM's prefix cache, at the grain of a trace's pieces. Pages that are free stand in a line and
/// are taken from its front; those of a piece stand in it while nobody uses the piece, its last piece first.
class PrefixCache {
  public:
    /// \param pieces  names that occur, from 0 on \param piece_pages  of each \param pages  of the cache
    PrefixCache(std::size_t pieces, std::int64_t piece_pages, std::int64_t pages);

    [[nodiscard]] std::int64_t piece_pages() const { return piece_pages_; }

    /// Leading pieces that are cached.
    [[nodiscard]] std::size_t hits(std::span<const std::uint32_t> pieces) const;
    /// Pages of those that nobody uses: they are free until somebody does.
    [[nodiscard]] std::int64_t idle_pages(std::span<const std::uint32_t> hits) const;

    /// Somebody more uses a piece that is cached. \returns whether nobody did: its pages leave the line
    bool use(std::uint32_t piece);
    /// A piece was computed by somebody, who uses it, into pages that were taken. \returns false where there
    /// is one already: then those pages are the computer's own
    bool add(std::uint32_t piece);
    /// Somebody less does. \returns whether nobody does any more: its pages join the line
    bool leave(std::uint32_t piece);

    /// Pages leave the front of the line; pieces that were in them are forgotten.
    void take(std::int64_t pages);
    /// Pages without pieces join its end.
    void give(std::int64_t pages) { end_pages_ += pages; }

  private:
    using Place = std::int32_t;
    static constexpr Place nobody = -1;
    struct Piece {
        std::int32_t users{-1};  ///< -1: not cached
        Place before{nobody};    ///< in the line, while nobody uses it
        Place after{nobody};
        std::int64_t pages_before{0};  ///< without pieces, between it and the piece before it
    };
    Piece& at(Place place) { return pieces_[static_cast<std::size_t>(place)]; }
    void unlink(Place place);

    std::vector<Piece> pieces_;
    std::int64_t piece_pages_;
    std::int64_t end_pages_;  ///< without pieces, behind the last piece
    Place first_{nobody};
    Place last_{nobody};
};

}  // namespace dse::serving
