#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dse::serving {

/// Prompt prefixes that stay in a paged cache after their last use until their pages are needed: vLLM's
/// prefix cache, at the granularity of a trace's pieces. Free pages form a queue and are taken from its
/// front. The pages of a piece are in this queue while no sequence uses the piece; a sequence releases its
/// last piece first. So are the pages that a preempted sequence held, which it finds again unless they are
/// needed before: its last page is taken first.
class PrefixCache {
  public:
    /// \param pieces  number of distinct pieces, named from 0
    /// \param piece_pages  pages per piece
    /// \param pages  pages of the cache
    /// \param sequences  number of sequences that may be preempted, named from 0
    PrefixCache(std::size_t pieces, std::int64_t piece_pages, std::int64_t pages, std::size_t sequences = 0);

    [[nodiscard]] std::int64_t piece_pages() const { return piece_pages_; }

    /// Number of leading pieces that are cached.
    [[nodiscard]] std::size_t hits(std::span<const std::uint32_t> pieces) const;
    /// Pages of those pieces that no sequence uses: they count as free until one does.
    [[nodiscard]] std::int64_t idle_pages(std::span<const std::uint32_t> hits) const;

    /// Adds a user to a cached piece. \returns whether it had none: its pages then leave the queue
    bool use(std::uint32_t piece);
    /// A sequence has computed a piece into pages it took, and uses it.
    /// \returns false if the piece is cached already: the pages then stay private to the sequence
    bool add(std::uint32_t piece);
    /// Removes a user. \returns whether it was the last one: the pages of the piece then join the queue
    bool leave(std::uint32_t piece);

    /// A sequence is preempted: these pages of it join the queue, in which nothing of it is yet.
    void leave_behind(std::uint32_t sequence, std::int64_t pages);
    /// Those of them that nobody has taken since, from the first on.
    [[nodiscard]] std::int64_t left_behind(std::uint32_t sequence) const;
    /// The sequence uses them again: they leave the queue.
    void take_up(std::uint32_t sequence);
    /// Nobody will use them again: they stay in the queue as pages without contents.
    void forget(std::uint32_t sequence);

    /// Takes pages from the front of the queue; pieces stored in them are evicted.
    void take(std::int64_t pages);
    /// Appends pages without pieces to the queue.
    void give(std::int64_t pages) { end_pages_ += pages; }

  private:
    using Place = std::int32_t;
    static constexpr Place nobody = -1;
    /// A piece, or what a preempted sequence has left behind.
    struct Piece {
        std::int32_t users{-1};  ///< -1: not cached
        Place before{nobody};    ///< in the queue, while unused
        Place after{nobody};
        std::int64_t pages_before{0};  ///< pages without contents, between this piece and the one before it
        std::int64_t left{0};          ///< of a preempted sequence: its pages in the queue
    };
    Piece& at(Place place) { return pieces_[static_cast<std::size_t>(place)]; }
    [[nodiscard]] Place place_of(std::uint32_t sequence) const {
        return static_cast<Place>(names_ + sequence);
    }
    void append(Place place);
    void unlink(Place place);

    std::vector<Piece> pieces_;  ///< the pieces, then the sequences
    std::size_t names_;          ///< number of pieces
    std::int64_t piece_pages_;
    std::int64_t end_pages_;  ///< pages without contents, after the last piece
    Place first_{nobody};
    Place last_{nobody};
};

}  // namespace dse::serving
