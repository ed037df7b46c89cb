#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace dse::dist {

/// Indices [first, first + count) of a space.
struct Range {
    std::uint64_t first{0};
    std::uint64_t count{0};

    friend bool operator==(const Range&, const Range&) = default;
};

/// What evaluating some indices gave.
struct Tally {
    std::uint64_t indices{0};     ///< evaluated, those that `require` drops included
    std::uint64_t rows{0};        ///< of these, points of the space
    std::uint64_t infeasible{0};  ///< rows out of memory or outside the validity of a model
    std::uint64_t failures{0};    ///< rows whose evaluation broke or ran out of time

    Tally& operator+=(const Tally& other);
    friend bool operator==(const Tally&, const Tally&) = default;
};

enum class MessageKind : std::uint32_t {
    // from a worker
    ready,       ///< wants leases
    progress,    ///< tally, and so a sign of life
    evaluated,   ///< a lease is evaluated, its rows perhaps not on disk; tally and busy_seconds
    committed,   ///< the rows of a range, the first part of what is leased, are on disk
    candidates,  ///< costs of points that no other of this worker dominates; range.count of them a point
    closed,      ///< everything is on disk, nothing more will come
    broken,      ///< the worker cannot go on; the body says why
    // from the coordinator
    lease,      ///< a range to evaluate; with a body, its points, whose records are to come back
    heartbeat,  ///< the coordinator is alive
    finish,     ///< nothing is left to evaluate: put rows on disk and close
    stop,       ///< drop what is not evaluated, put rows on disk and close
};

/// The part of a message that every message has: small, flat and of one size.
struct MessageHead {
    MessageKind kind{MessageKind::ready};
    std::int32_t sender{0};  ///< filled in by the channel
    std::int32_t lost{0};    ///< from the coordinator: ranks that are gone
    Range range;
    Tally tally;
    double busy_seconds{0.0};  ///< time that evaluating the range took
};
static_assert(std::is_trivially_copyable_v<MessageHead>);

/// Everything that ranks tell each other.
struct Message : MessageHead {
    /// Of any size, mostly empty: a text, costs, trials (see dist/wire.hpp). What a worker says of its leases
    /// carries the records that were asked for and are new.
    std::string body;
};

/// A message as it goes over a wire, between ranks that run the same program. \param sender  its rank
std::string to_bytes(const Message& message, int sender);

/// \pre bytes  are what to_bytes() has given
Message from_bytes(std::string_view bytes);

}  // namespace dse::dist
