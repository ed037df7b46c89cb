#pragma once

#include <cstdint>

#include "dse/serving/request.hpp"

namespace dse::serving {

/// A request and when and where it was answered.
struct AnsweredRequest {
    Request request;
    Ticks first_token{0};
    Ticks last_token{0};
    /// Of two pools, all workers are counted: those of the prefill pool first. The last one that served it.
    std::uint32_t replica{0};
    friend bool operator==(const AnsweredRequest&, const AnsweredRequest&) = default;
};

}  // namespace dse::serving
