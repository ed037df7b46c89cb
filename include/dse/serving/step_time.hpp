#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

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

/// What one scheduler processes in a step. Empty if there are neither chunks nor decoding sequences.
struct Batch {
    std::span<const Chunk> chunks;
    Decodes decodes;
    std::int64_t adapters{0};  ///< distinct low-rank adapters of the requests
    std::int64_t loads{0};     ///< of these: adapters that the step waits for to be loaded
    Ticks copy{0};             ///< time to copy caches of its prompts from host memory

    [[nodiscard]] std::int64_t tokens() const {
        std::int64_t sum = decodes.sequences;
        for (const Chunk& chunk : chunks) sum += chunk.tokens;
        return sum;
    }
    [[nodiscard]] bool empty() const { return chunks.empty() && decodes.sequences == 0; }
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

    /// Time in which the host launches the kernels of a step of these ranks one by one; 0 if a captured graph
    /// replays them. The step itself takes at least as long.
    virtual Ticks launches(std::span<const Batch> /*ranks*/) { return 0; }

    /// Time that adapters add to a step of this batch.
    virtual Ticks adapters(const Batch& /*batch*/) { return 0; }

    /// Time of a step of one batch, without its adapters. \param batch  not empty
    Ticks alone(const Batch& batch) {
        return batch.chunks.empty() ? decode(batch.decodes).at(batch.decodes.context)
                                    : mixed(batch.chunks, batch.decodes);
    }

    /// Time of a step that the attention ranks of a replica start and end together, each with its own batch,
    /// without adapters.
    /// \param ranks  at least one of them has a batch
    virtual Ticks together(std::span<const Batch> ranks) {
        Ticks longest = 0;
        for (const Batch& batch : ranks) {
            if (!batch.empty()) longest = std::max(longest, alone(batch));
        }
        return longest;
    }
};

}  // namespace dse::serving
