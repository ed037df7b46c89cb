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

/// Source of kernel times.
enum class KernelTimes : std::uint8_t {
    recorded_first,  ///< as recorded; without a recorded time, from its operations and bytes
    recorded,
    roofline,  ///< from its operations and bytes; host nodes as recorded
};

/// Times of the nodes of traces on a machine. Results of the network model are cached.
class NodeTimes {
  public:
    /// \param cluster, network  must outlive this object \param devices  number of devices of the job
    NodeTimes(const hardware::ClusterSpec& cluster, const model::NetworkModel& network, std::int64_t devices,
              KernelTimes kernels);

    /// Time of a kernel, of a host node, or of metadata, which takes no time. Traces do not distinguish kinds
    /// of kernels: by roofline, a kernel takes the maximum of its operations at the device's bf16 rate and
    /// its bytes at the memory's sustained rate, plus a kernel's latency. 0 if the trace has no data for it,
    /// since files omit durations of 0.
    /// \throws ModelError if the trace lacks the data
    [[nodiscard]] Seconds compute(const trace::chakra::TraceStep& step) const;
    /// Time of a copy between the device and its host; as recorded if it is.
    /// \throws ModelError if the machine has no such path
    [[nodiscard]] Seconds copy(const trace::chakra::TraceStep& step) const;
    [[nodiscard]] Seconds message(std::int64_t from, std::int64_t to, std::int64_t bytes) const;
    /// \param members  ranks, in any order
    /// \param size     as in traces: for an all-gather, the contribution of one rank
    /// \throws ModelError if the network model does not support the collective or the group
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
