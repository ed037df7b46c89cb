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

/// Counts of evaluated indices.
struct Tally {
    std::uint64_t indices{0};     ///< evaluated indices, including those dropped by `require`
    std::uint64_t rows{0};        ///< those that are points of the space
    std::uint64_t infeasible{0};  ///< rows out of memory or outside the validity of a model
    std::uint64_t failures{0};    ///< rows whose evaluation failed or timed out

    Tally& operator+=(const Tally& other);
    friend bool operator==(const Tally&, const Tally&) = default;
};

enum class MessageKind : std::uint32_t {
    // from a worker
    ready,       ///< wants leases
    progress,    ///< tally; also a heartbeat
    evaluated,   ///< a lease is evaluated, its rows possibly not on disk yet; tally and busy_seconds
    committed,   ///< the rows of a range, the first part of what is leased, are on disk
    candidates,  ///< costs of non-dominated points of this worker, range.count values per point
    closed,      ///< everything is on disk; last message of the worker
    broken,      ///< the worker cannot continue; the body gives the reason
    // from the coordinator
    lease,      ///< a range to evaluate; a body contains its points, whose records are to be returned
    heartbeat,  ///< the coordinator is alive
    finish,     ///< nothing is left to evaluate: write rows to disk and close
    stop,       ///< drop what is not evaluated, write rows to disk and close
};

/// The fixed-size part of every message.
struct MessageHead {
    MessageKind kind{MessageKind::ready};
    std::int32_t sender{0};  ///< filled in by the channel
    std::int32_t lost{0};    ///< from the coordinator: number of lost ranks
    Range range;
    Tally tally;
    double busy_seconds{0.0};  ///< time spent on evaluating the range
};
static_assert(std::is_trivially_copyable_v<MessageHead>);

/// A message between ranks.
struct Message : MessageHead {
    /// Of any size, usually empty: a text, costs, trials (see dist/wire.hpp). A worker's messages about its
    /// leases carry the new records that were requested.
    std::string body;
};

/// Serializes a message, for ranks that run the same program. \param sender  rank of the sender
std::string to_bytes(const Message& message, int sender);

/// \pre bytes were produced by to_bytes()
Message from_bytes(std::string_view bytes);

}  // namespace dse::dist
