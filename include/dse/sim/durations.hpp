#pragma once

#include <cstdint>
#include <vector>

#include "dse/base/time_quantum.hpp"
#include "dse/graph/graph.hpp"
#include "dse/model/network/network_model.hpp"

namespace dse::sim {

/// The time quantum of all engines.
using dse::time_quantum;

/// Longest iteration whose sums are exact.
inline constexpr double longest_time = 0x1p13;

/// The nearest multiple of the quantum, halves to even.
/// \param seconds  >= 0 and finite
/// \throws ModelError if it is negative, infinite, NaN, or longer than `longest_time`
double quantise(double seconds);

/// Times after which a node releases what it occupies, relative to its start. Multiples of the quantum, >= 0.
///
/// A node starts when its stream is free and all its inputs are ready (and, with hold > 0, when the compute
/// stream is free as well). With lost > 0 it neither waits for the compute stream nor makes that wait for its
/// start: kernels merely have less of the device while it runs.
struct NodeTime {
    double duration{0};  ///< how long its stream is busy
    double visible{0};   ///< when its value is ready; <= duration. Equal to duration for computations
    double hold{0};      ///< how long the compute stream is blocked; <= duration. No effect for nodes on that
                         ///< stream; 0 for collectives between two stages (graph::meeting_pairs)
    double lost{0};      ///< how much later the compute stream is free for what is issued after the node;
                         ///< <= duration. 0 with hold > 0; otherwise likewise
    friend bool operator==(const NodeTime&, const NodeTime&) = default;
};

/// A message to a neighbouring stage. It starts when the value is ready, the sender's send stream and the
/// receiver's receive stream are free; it occupies both, and the value is ready at its end. If the graph has
/// a message_stream, that stream of the sender replaces both.
struct TransferTime {
    double duration{0};
    double hold{0};  ///< how long the sender's compute stream is blocked from its start on; <= duration
};

/// Durations of everything in one graph. Filled in by the owner of the cost models.
struct Durations {
    std::vector<NodeTime> of_work;  ///< by WorkId; entries of transfers are ignored
    // By the sender's end of a lane; with one lane, by sending stage.
    std::vector<TransferTime>
        forward;  ///< towards the loss: to the next stage; from the last to stage 0's next chunk
    std::vector<TransferTime>
        backward;       ///< towards the input: to the previous stage; from stage 0 to the last one
    double barrier{0};  ///< of the gradient norm, after all streams of all ranks
    /// Slowdown of kernels while a collective runs on their device, >= 1. Their speed changes
    /// whenever one starts or ends. Only engine `event` supports values other than 1.
    double compute_slowdown{1.0};
    /// Kernel durations if ranks differ: tables by WorkId, and the table of each rank, starting at 1; 0 (and
    /// an empty list) stands for `of_work`. Only engine `event` supports them.
    std::vector<std::vector<double>> kernel_tables;
    std::vector<std::uint16_t> kernel_table_of;  ///< by rank
    /// Seconds per unit of these times and of an engine's results. Not 1 if the network has its own clock,
    /// whose ticks are then integer multiples of the quantum.
    double unit{1.0};
    /// The network model that simulates concurrent communication if it shares the network; the times of
    /// collectives and messages are then those of an idle network. Must outlive the durations; nullptr if
    /// times are fixed.
    const model::NetworkModel* shared{nullptr};
};

/// Checks sizes and signs, and that all times are quantized.
/// \throws ContractViolation
void validate(const Durations& durations, const graph::Graph& graph);

/// Time that kernels lose beside a node: none beside nodes on the compute stream, which run alone.
inline double lost_of(const NodeTime& time, graph::StreamId stream) {
    return stream == graph::compute_stream ? 0.0 : time.lost;
}

/// How long a node blocks the compute stream: 0 for nodes on the compute stream itself, which they occupy
/// anyway.
inline double hold_of(const NodeTime& time, graph::StreamId stream) {
    return stream == graph::compute_stream ? 0.0 : time.hold;
}

}  // namespace dse::sim
