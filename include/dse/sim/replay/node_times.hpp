#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "dse/hardware/cluster_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// Where the time of a kernel comes from.
enum class KernelTimes : std::uint8_t {
    recorded_first,  ///< as recorded; where nothing is, from its operations and bytes
    recorded,
    roofline,  ///< from its operations and bytes; the host's nodes as recorded
};

/// What the nodes of traces take on a machine. Keeps what it asked the network.
class NodeTimes {
  public:
    /// They outlive it. \param devices  of the job
    NodeTimes(const hardware::ClusterSpec& cluster, const model::NetworkModel& network, std::int64_t devices,
              KernelTimes kernels);

    /// Of a kernel, of a host's node, or of metadata, which takes nothing. Traces do not tell kernels apart:
    /// by roofline one takes the longer of its operations at the device's bf16 rate and its bytes at its
    /// memory's sustained rate, and the latency of a kernel. Nothing where the trace says nothing of it:
    /// files leave out durations of 0. \throws ModelError where the trace lacks what this needs
    [[nodiscard]] Seconds compute(const trace::chakra::TraceStep& step) const;
    /// Of a copy between the device and its host; as recorded, where it is.
    /// \throws ModelError where the machine has no such path
    [[nodiscard]] Seconds copy(const trace::chakra::TraceStep& step) const;
    [[nodiscard]] Seconds message(std::int64_t from, std::int64_t to, std::int64_t bytes) const;
    /// \param members  ranks, in any order \param size  as traces have it: of an all-gather what one rank
    /// brings \throws ModelError where the network does not know such a collective or such a group
    [[nodiscard]] Seconds collective(trace::chakra::CommType type, std::int64_t size,
                                     std::span<const std::int64_t> members);

  private:
    using Key = std::tuple<trace::chakra::CommType, std::int64_t, std::vector<std::int64_t>>;

    [[nodiscard]] Seconds ask(trace::chakra::CommType type, std::int64_t size,
                              std::span<const std::int64_t> members) const;
    [[nodiscard]] Seconds roofline(const trace::chakra::TraceStep& step) const;

    const hardware::ClusterSpec& cluster_;
    const model::NetworkModel& network_;
    std::int64_t devices_;
    KernelTimes kernels_;
    std::map<Key, Seconds> collectives_;
};

}  // namespace dse::sim::replay
