#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "dse/graph/mesh.hpp"
#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

/// Collectives that had to be played message by message, so that each is played once. Bounded.
class AstraPlayedTicks {
  public:
    static constexpr std::size_t most = 4096;

    /// What has been played for this collective, or what `play()` says.
    /// \param play  of one machine: this memory belongs to it
    template <class Play>
    Ticks find(graph::CollectiveKind kind, std::int64_t bytes, graph::AxisSet axes, const graph::Mesh& mesh,
               Play&& play) {
        const Key key{kind, bytes, axes.bits(), mesh.size, mesh.order};
        if (const auto found = ticks_.find(key); found != ticks_.end()) return found->second;
        const Ticks ticks = play();
        if (ticks_.size() >= most) ticks_.clear();
        ticks_.emplace(key, ticks);
        return ticks;
    }

  private:
    using Key = std::tuple<graph::CollectiveKind, std::int64_t, std::uint8_t, decltype(graph::Mesh::size),
                           decltype(graph::Mesh::order)>;
    std::map<Key, Ticks> ticks_;
};

}  // namespace dse::netsim
