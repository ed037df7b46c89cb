#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// A chunk of a prompt that a step processes.
struct Chunk {
    std::int64_t before{0};  ///< tokens of the prompt that are already cached
    std::int64_t tokens{0};
    friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// Sequences that decode in a step, and what they attend to.
struct Decodes {
    std::int64_t sequences{0};
    std::int64_t context{0};  ///< tokens attended to, summed over all sequences, including the new ones
    friend bool operator==(const Decodes&, const Decodes&) = default;
};

/// Time of a step in which a given number of sequences all decode: a linear function of the tokens that they
/// attend to.
struct DecodeLine {
    Ticks base{0};
    Ticks per_token{0};
    std::int64_t last_context{0};  ///< largest context for which the line holds

    [[nodiscard]] Ticks at(std::int64_t context) const { return base + per_token * context; }
};

/// Step times on the devices of one replica. This is all that a schedule knows of model and machine.
class StepTime {
  public:
    StepTime() = default;
    StepTime(const StepTime&) = delete;
    StepTime& operator=(const StepTime&) = delete;
    virtual ~StepTime() = default;

    /// The line that this step's time lies on. \param decodes  at least one sequence
    virtual DecodeLine decode(const Decodes& decodes) = 0;

    /// Time of a step that processes chunks of prompts and may decode as well. \param chunks  at least one
    virtual Ticks mixed(std::span<const Chunk> chunks, const Decodes& decodes) = 0;

    /// Time of a step in which the attention ranks of a worker process prompts together, each its own chunks.
    /// \param ranks  at least one of them has a chunk
    virtual Ticks together(std::span<const std::vector<Chunk>> ranks) {
        Ticks longest = 0;
        for (const std::vector<Chunk>& chunks : ranks) {
            if (!chunks.empty()) longest = std::max(longest, mixed(chunks, {}));
        }
        return longest;
    }
};

}  // namespace dse::serving
