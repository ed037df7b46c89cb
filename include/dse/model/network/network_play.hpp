#pragma once

#include <cstdint>
#include <span>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"

namespace dse::model {

/// Simulation of concurrent communication that shares the network. Times are integer multiples of the
/// quantum.
class NetworkPlay {
  public:
    /// Identifies a running communication; may be reused once it has ended.
    using Number = std::uint32_t;

    NetworkPlay() = default;
    NetworkPlay(const NetworkPlay&) = delete;
    NetworkPlay& operator=(const NetworkPlay&) = delete;
    virtual ~NetworkPlay() = default;

    /// Starts a part of a collective of a group now.
    /// \param members  participating ranks of the group, ascending; at least two
    /// \param share    share of the collective's work, in (0, 1]; on an idle network the parts add up to the
    ///                 time of the whole
    /// \throws ModelError if the network does not support it
    virtual Number begin(const graph::Collective& collective, std::span<const std::int64_t> members,
                         double share) = 0;
    /// Starts a part of a message now.
    virtual Number begin(Bytes size, std::int64_t from, std::int64_t to, double share) = 0;

    [[nodiscard]] virtual double now() const = 0;  ///< s
    /// Time of the next event, if nothing else is started; infinity if nothing is running.
    [[nodiscard]] virtual double next_time() = 0;
    /// Advances time.
    /// \param time  between now() and next_time(), an integer multiple of the quantum
    /// \return communications that end at this time; valid until the next call
    virtual std::span<const Number> advance(double time) = 0;
};

}  // namespace dse::model
