#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/traffic.hpp"
#include "serving/random.hpp"
#include "serving/zipf_draw.hpp"

namespace dse::serving {

/// Pieces that the requests of a run may have in all, four bytes each.
inline constexpr std::size_t most_pieces = 250'000'000;

/// The prefixes that requests of each class begin with (of all, without classes), and the names of their
/// whole pages.
class PrefixGroups {
  public:
    /// \throws ModelError if the prefixes have too many pages to name
    PrefixGroups(const graph::Traffic& traffic, std::int64_t page_tokens);

    /// What a prompt begins with.
    struct Beginning {
        std::int64_t tokens{0};   ///< 0: with no prefix
        std::uint32_t first{0};   ///< name of its first whole page
        std::uint32_t pieces{0};  ///< number of its whole pages
    };
    /// Draws as many numbers whatever the share and the length are. \param kind  class of the request
    Beginning draw(std::uint8_t kind, Random& random);

    /// Number of names of all prefixes.
    [[nodiscard]] std::size_t names() const { return names_; }

  private:
    struct Group {
        graph::RequestPrefixes stated;
        ZipfDraw numbers;
        std::size_t pieces{0};  ///< whole pages of each
        std::size_t first{0};   ///< name of the first piece of its first prefix
    };
    void add(const graph::RequestPrefixes& stated, std::int64_t page_tokens);

    std::vector<Group> groups_;
    std::size_t names_{0};
};

}  // namespace dse::serving
