#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "dse/base/check.hpp"

namespace dse {

/// A typed index: ids of different kinds cannot be mixed up. At most 2^32 objects of a kind.
template <class Tag>
class Id {
  public:
    constexpr Id() = default;
    constexpr explicit Id(std::size_t index) : index_{static_cast<std::uint32_t>(index)} {
        DSE_EXPECT(index <= std::numeric_limits<std::uint32_t>::max());
    }
    [[nodiscard]] constexpr std::size_t index() const { return index_; }
    friend constexpr auto operator<=>(Id, Id) = default;

  private:
    std::uint32_t index_{0};
};

}  // namespace dse

template <class Tag>
struct std::hash<dse::Id<Tag>> {
    std::size_t operator()(dse::Id<Tag> id) const noexcept { return id.index(); }
};
