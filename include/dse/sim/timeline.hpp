#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::sim {

/// One node, or one message, on one stream of one stage; or the time that kernels lose beside a node.
struct Span {
    std::uint32_t stream{0};  ///< index into Timeline::streams
    double start{0};          ///< s after the barrier
    double end{0};            ///< s; the stream is busy until then
    double hold_end{0};       ///< s; the compute stream is blocked until then; `start` if it is not blocked
    graph::WorkId work;
    graph::RegionId region;  ///< of a node
    graph::Task task;        ///< the task that it belongs to
    enum class Phase : std::uint8_t { update, task, finish, transfer } phase{Phase::task};
    graph::NameId name{};  ///< of a node
    /// The time that kernels lose beside the node of the span before this one (NodeTime::lost), on the
    /// compute stream; everything else is as there.
    bool is_loss{false};
};

/// The activity of all streams of one stage in one iteration.
struct Timeline {
    std::uint32_t stage{0};
    std::vector<std::string> streams;  ///< the graph's, then "send" and "receive"
    /// In issue order; a message has the position of its task.
    std::vector<Span> spans;
    double end{0};  ///< s; the stage arrives at the barrier
};

/// Whether a span is a message on the receiver's side.
bool is_received(const Span& span, const graph::Graph& graph);

/// Converts the times of an engine to seconds. \param unit  Durations::unit
void to_seconds(std::vector<Timeline>& timelines, double unit);

/// Description of a node or message without a name: "gemm", "all_gather tp+cp", "message", "launch".
std::string describe(const graph::Work& work);

}  // namespace dse::sim
