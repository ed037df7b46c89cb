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

/// A communicator as NCCL sees it: equal parts of it in some domains.
struct NcclGroup {
    NcclNode node;  ///< its part in one domain
    std::int64_t domains{1};
    hardware::HostProcessor processor{hardware::HostProcessor::intel};
    double net_latency{0.0};  ///< that the network plugin reports [us]
    bool ll128{true};
    bool switches_reduce{false};  ///< those of a domain
    bool fabric_reduces{false};

    [[nodiscard]] std::int64_t members() const { return node.devices * domains; }
};

/// A way to run a collective, with what NCCL thinks of it.
struct NcclCandidate {
    NcclAlgorithm algorithm{NcclAlgorithm::ring};
    NcclProtocol protocol{NcclProtocol::simple};
    double latency{0.0};    ///< [us]
    double bandwidth{0.0};  ///< full vector per second, by NCCL's constants [GB/s]
    double links{0.0};      ///< the same without the limits that NCCL puts on it beside its links [GB/s]
    double fabric{0.0};     ///< the most that its channels take through the NICs; 0 inside one domain [GB/s]
    std::int64_t channels{0};
};

/// What NCCL may choose from.
class NcclCandidates {
  public:
    void add(const NcclCandidate& candidate) { all_[count_++] = candidate; }
    [[nodiscard]] std::span<const NcclCandidate> get() const& { return {all_.data(), count_}; }
    /// A view of what is gone when its expression ends: a loop over it reads nothing.
    void get() const&& = delete;

  private:
    std::array<NcclCandidate, nccl_algorithm_count * nccl_protocol_count> all_;
    std::size_t count_{0};
};

/// NCCL's tuning model for one group: which algorithms and protocols it has for a collective, and how long it
/// expects each to take. It takes the soonest.
/// Source: NCCL 2.30.7, src/graph/tuning.cc, src/enqueue.cc.
class NcclTuner {
  public:
    /// \param group  of two members or more, and some channel fits its links and NICs
    explicit NcclTuner(const NcclGroup& group) : group_{group} {}

    /// \param kind  all_reduce, all_gather, reduce_scatter or broadcast; NCCL tunes no other
    [[nodiscard]] NcclCandidates candidates(graph::CollectiveKind kind) const;

    /// The fixed part of NCCL's expectation at a size. \param bytes  the full vector \return [us]
    [[nodiscard]] double latency(const NcclCandidate& candidate, graph::CollectiveKind kind,
                                 double bytes) const;

    /// What a size attains of a candidate's bandwidth.
    [[nodiscard]] double correction(const NcclCandidate& candidate, double bytes) const;

    /// NCCL's expectation. \return [us]
    [[nodiscard]] double estimate(const NcclCandidate& candidate, graph::CollectiveKind kind,
                                  double bytes) const;

  private:
    NcclGroup group_;
};

}  // namespace dse::model
