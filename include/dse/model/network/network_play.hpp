#pragma once

#include <cstdint>
#include <span>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"

namespace dse::model {

/// What all ranks send each other, as it goes on and shares the network. Times are whole quanta.
class NetworkPlay {
  public:
    /// Something that has been begun; numbers come back once it has ended.
    using Number = std::uint32_t;

    NetworkPlay() = default;
    NetworkPlay(const NetworkPlay&) = delete;
    NetworkPlay& operator=(const NetworkPlay&) = delete;
    virtual ~NetworkPlay() = default;

    /// A group begins a part of a collective now.
    /// \param members  ranks of the group that take part, ascending; at least two
    /// \param share    of the collective's work, in (0, 1]: alone, parts take together what the whole takes
    /// \throws ModelError when the network cannot do it
    virtual Number begin(const graph::Collective& collective, std::span<const std::int64_t> members,
                         double share) = 0;
    /// Likewise a message.
    virtual Number begin(Bytes size, std::int64_t from, std::int64_t to, double share) = 0;

    [[nodiscard]] virtual double now() const = 0;  ///< s
    /// When something happens next, if nothing is begun; infinity where nothing is under way.
    [[nodiscard]] virtual double next_time() = 0;
    /// Time goes on. \param time  from now() to next_time(), a whole quantum
    /// \return what ends then; valid until the next call
    virtual std::span<const Number> advance(double time) = 0;
};

}  // namespace dse::model
