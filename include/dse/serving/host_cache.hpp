#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dse::serving {

/// Pieces of prompts that host memory keeps, those used last: a second tier of the prefix cache (vLLM's
/// OffloadingConnector, SGLang's HiCache, LMCache, TensorRT-LLM's host_cache_size). Pieces are written
/// through, so that it holds also what the device's cache does, and forgets them by itself.
class HostCache {
  public:
    /// \param names  number of distinct pieces
    /// \param pieces  that it has room for
    HostCache(std::size_t names, std::int64_t pieces);

    /// Number of leading pieces that it holds.
    [[nodiscard]] std::size_t hits(std::span<const std::uint32_t> pieces) const;
    /// The piece was used, or is new; then the one unused for longest makes room. Of a prompt, the last piece
    /// is kept first, so that beginnings last longest.
    void keep(std::uint32_t piece);

  private:
    using Place = std::int32_t;
    static constexpr Place nobody = -1;
    struct Piece {
        Place before{nobody};
        Place after{nobody};
        bool kept{false};
    };
    Piece& at(Place place) { return pieces_[static_cast<std::size_t>(place)]; }
    void unlink(Place place);

    std::vector<Piece> pieces_;
    std::int64_t room_;
    std::int64_t kept_{0};
    Place first_{nobody};  ///< unused for longest
    Place last_{nobody};
};

}  // namespace dse::serving
