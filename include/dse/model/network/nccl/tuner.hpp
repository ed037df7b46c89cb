#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dse/graph/work.hpp"
#include "dse/hardware/network/nccl_spec.hpp"
#include "dse/model/network/nccl/channels.hpp"
#include "dse/model/network/nccl/constants.hpp"

namespace dse::model {

/// A communicator from NCCL's point of view: equal parts in a number of domains.
struct NcclGroup {
    NcclNode node;  ///< its part in one domain
    std::int64_t domains{1};
    hardware::HostProcessor processor{hardware::HostProcessor::intel};
    double net_latency{0.0};  ///< reported by the network plugin [us]
    double nic_share{1.0};  ///< of a NIC's rate that the fabric sustains: it bounds times, not NCCL's choice
    bool ll128{true};
    bool switches_reduce{false};  ///< those of a domain
    bool fabric_reduces{false};

    [[nodiscard]] std::int64_t members() const { return node.devices * domains; }
};

/// An implementation of a collective, with NCCL's estimate.
struct NcclCandidate {
    NcclAlgorithm algorithm{NcclAlgorithm::ring};
    NcclProtocol protocol{NcclProtocol::simple};
    double latency{0.0};    ///< [us]
    double bandwidth{0.0};  ///< full vector per second, by NCCL's constants [GB/s]
    double links{0.0};      ///< the same without NCCL's limits other than those of links [GB/s]
    double fabric{0.0};     ///< maximum of its channels through the NICs; 0 inside one domain [GB/s]
    std::int64_t channels{0};
};

/// The implementations that NCCL chooses from.
class NcclCandidates {
  public:
    void add(const NcclCandidate& candidate) { all_[count_++] = candidate; }
    [[nodiscard]] std::span<const NcclCandidate> get() const& { return {all_.data(), count_}; }
    /// Deleted, since a view of a temporary would dangle in a range-for.
    void get() const&& = delete;

  private:
    std::array<NcclCandidate, nccl_algorithm_count * nccl_protocol_count> all_;
    std::size_t count_{0};
};

/// NCCL's tuning model for one group: the available algorithms and protocols of a collective, and the
/// expected time of each. NCCL uses the fastest. Source: NCCL 2.30.7, src/graph/tuning.cc, src/enqueue.cc.
class NcclTuner {
  public:
    /// \param group  of at least two members, with links and NICs that fit at least one channel
    explicit NcclTuner(const NcclGroup& group) : group_{group} {}

    /// \param kind  all_reduce, all_gather, reduce_scatter or broadcast; NCCL has no tuning for others
    [[nodiscard]] NcclCandidates candidates(graph::CollectiveKind kind) const;

    /// The fixed part of NCCL's estimate at a size. \param bytes  the full vector \return [us]
    [[nodiscard]] double latency(const NcclCandidate& candidate, graph::CollectiveKind kind,
                                 double bytes) const;

    /// Share of a candidate's bandwidth that is reached at a size.
    [[nodiscard]] double correction(const NcclCandidate& candidate, double bytes) const;

    /// NCCL's estimate. \return [us]
    [[nodiscard]] double estimate(const NcclCandidate& candidate, graph::CollectiveKind kind,
                                  double bytes) const;

  private:
    NcclGroup group_;
};

}  // namespace dse::model
