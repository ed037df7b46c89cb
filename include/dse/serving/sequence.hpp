#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/serving/request.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// A request that was admitted or preempted.
struct Sequence {
    const Request* request{nullptr};
    std::int64_t admitted{0};               ///< number of admissions before its own
    std::size_t number{0};                  ///< of the request in the share
    std::span<const std::uint32_t> pieces;  ///< pieces that its prompt fills completely
    std::vector<std::uint32_t> used;        ///< those of them that it uses in the prefix cache
    std::size_t looked_at{0};               ///< pieces that it has added or found in the cache
    std::int64_t generated{0};              ///< tokens, not counting those of the current prefill
    std::int64_t target{0};                 ///< tokens to process before the next one is generated
    std::int64_t computed{0};               ///< tokens processed so far, during prefill
    std::int64_t offset{0};                 ///< while decoding: cached tokens minus the step number
    std::int64_t finish{0};                 ///< while decoding: number of the step after which it ends
    Ticks first_token{0};                   ///< when it arrives at the client
    Ticks last_token{0};                    ///< if it was preempted: the same
    std::int32_t before{-1};
    std::int32_t after{-1};
    bool decodes{false};
};

}  // namespace dse::serving
