#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "dse/trace/chakra/trace.hpp"
#include "sim/replay/issue_queue.hpp"

namespace dse::sim::replay {

/// What a lane is for: its kind, and its number within the kind.
struct LaneKey {
    enum class Kind : std::uint8_t {
        host,          ///< number: thread
        stream,        ///< number: stream
        compute,       ///< kernels without a stream
        communicator,  ///< number: Communication::group
        messages,      ///< number: Communication::destination
        copies         ///< number: type of node
    };
    Kind kind{Kind::compute};
    std::int64_t number{0};
    friend auto operator<=>(const LaneKey&, const LaneKey&) = default;
};
/// \return nothing if the node has no lane
std::optional<LaneKey> lane_key(const trace::chakra::Trace& trace, trace::chakra::NodeIndex node);

/// Which nodes of a trace run one after the other on a real machine. Shared by all ranks with the same trace.
///
/// Host nodes: those of one thread. Device nodes with a stream: those of the stream, in the order of their
/// recorded starts, then of their ids, which is the order of issue. Device nodes without a stream: all
/// computation; the collectives of each communicator; the messages to each rank; the copies in each
/// direction; each as it becomes ready. Receives without a stream are concurrent with everything else.
class LaneTable {
  public:
    explicit LaneTable(const trace::chakra::Trace& trace);

    [[nodiscard]] std::size_t lanes() const { return lanes_; }  ///< including IssueQueue::free_lane
    [[nodiscard]] Lane of(std::uint32_t node) const { return lane_of_[node]; }
    /// By node: its predecessor on its stream (DependencyTable::none if it has none).
    [[nodiscard]] const std::vector<std::uint32_t>& before() const { return before_; }

  private:
    void order_streams(const trace::chakra::Trace& trace, const std::vector<bool>& is_stream);

    std::size_t lanes_{1};
    std::vector<Lane> lane_of_;
    std::vector<std::uint32_t> before_;
};

}  // namespace dse::sim::replay
