#pragma once

#include <cstdint>
#include <span>

#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// A piece of a prompt that a step reads.
struct Chunk {
    std::int64_t before{0};  ///< tokens of the prompt that are cached already
    std::int64_t tokens{0};
    friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// What the sequences that decode in a step attend to.
struct Decodes {
    std::int64_t sequences{0};
    std::int64_t context{0};  ///< tokens of all of them together, the new ones included
    friend bool operator==(const Decodes&, const Decodes&) = default;
};

/// Time of a step of so many sequences that all decode: a line in the tokens that they attend to.
struct DecodeLine {
    Ticks base{0};
    Ticks per_token{0};
    std::int64_t last_context{0};  ///< the largest for which the line holds

    [[nodiscard]] Ticks at(std::int64_t context) const { return base + per_token * context; }
};

/// What steps take on the devices of one replica. All that a schedule knows of model and machine.
class StepTime {
  public:
    StepTime() = default;
    StepTime(const StepTime&) = delete;
    StepTime& operator=(const StepTime&) = delete;
    virtual ~StepTime() = default;

    /// The line on which this step lies. \param decodes  of at least one sequence
    virtual DecodeLine decode(const Decodes& decodes) = 0;

    /// A step that reads pieces of prompts, and decodes besides. \param chunks  at least one
    virtual Ticks mixed(std::span<const Chunk> chunks, const Decodes& decodes) = 0;
};

}  // namespace dse::serving
