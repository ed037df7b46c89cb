#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/sim/timeline.hpp"

namespace dse::sim {

/// A number of a stage that changes with time.
struct Track {
    struct Sample {
        double time{0};
        double value{0};
    };
    std::uint32_t stage{0};
    std::string name;
    std::vector<Sample> samples;  ///< in the order of time
    std::string unit{"bytes"};
};

/// Bytes that a collective or a message carries; 0 of all else.
double bytes_of(const graph::Work& work);

/// Bytes of a stage's collectives and outgoing messages that are under way.
Track bytes_in_flight(const Timeline& timeline, const graph::Graph& graph);

/// Bytes that one device of a stage has allocated, as its nodes begin. They allocate and free in the order of
/// issue, as MemoryPeak has it, whose peak is the largest sample; of nodes that begin earlier than others
/// issued before them, or at once, one sample has the largest level.
Track memory_level(const Timeline& timeline, const graph::Graph& graph);

}  // namespace dse::sim
