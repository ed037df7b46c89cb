#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/sim/timeline.hpp"

namespace dse::sim {

/// A value of a stage as a function of time.
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

/// Bytes that a collective or a message carries; 0 for other work.
double bytes_of(const graph::Work& work);

/// Bytes of a stage's collectives and outgoing messages in flight.
Track bytes_in_flight(const Timeline& timeline, const graph::Graph& graph);

/// Bytes that one device of a stage has allocated at the start of its nodes. Nodes allocate and free in issue
/// order, as in MemoryPeak, whose peak is the largest sample. Nodes that start at the same time as, or
/// earlier than, nodes issued before them share one sample with the largest level.
Track memory_level(const Timeline& timeline, const graph::Graph& graph);

}  // namespace dse::sim
