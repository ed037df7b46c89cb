#pragma once

#include <cstdint>

#include "dse/hardware/network/domain_links.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/blend.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/model/network/placement.hpp"

namespace dse::model {

/// Latency–bandwidth model of two levels: scale-up domains and the fabric between them.
///
/// A group with g members per domain over N domains reduces within domains, exchanges 1/g of the vector over
/// each member's own NIC, and gathers within domains; all-gather, reduce-scatter, all-to-all and broadcast
/// work alike. The two phases overlap according to CollectiveSpec::phase_overlap. Latencies are those of the
/// faster of ring and tree, or, for all-gather and reduce-scatter over several domains, as
/// CollectiveSpec::gathering says. If the switches reduce, all-reduce within a domain uses the faster of the
/// two. Over several domains, all-gathers and reduce-scatters of CollectiveSpec::gathering ring run along
/// rings of all members, one a channel: the NICs of a domain pass (n - 1) / n of the vector of n members, as
/// each link of a ring does, and the levels work at once. So do all-reduces where a domain has one NIC
/// (NcclSpec::nics), and elsewhere where that is faster. Domains are non-blocking, or devices are joined
/// directly (hardware::DomainLinks). Validity: one collective at a time per device; no contention beyond
/// oversubscription. Source: Thakur, Rabenseifner, Gropp 2005 (one level); Cho et al., BlueConnect, 2019
/// (hierarchy); NVIDIA/nccl, issue 687 (a ring enters and leaves a node once).
class LatencyBandwidth final : public NetworkModel {
  public:
    /// \param network  valid (hardware::problems_of)
    explicit LatencyBandwidth(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const Communication& what) const override;
    using NetworkModel::collective;

    /// The same for a group of known placement.
    /// \param size      of the full buffer, as graph::Collective defines it
    /// \param dispatch  of an all-to-all: a deduplicated one sends a token once to each domain that needs it,
    ///                  which forwards it to the members that need it
    /// \return time from the moment at which the last member is ready; 0 for a group of one
    [[nodiscard]] Seconds collective(graph::CollectiveKind kind, Bytes size, const Placement& group,
                                     const graph::Dispatch& dispatch = {}) const;

  private:
    /// Contribution of one level: latency of its steps and time on its links.
    struct Phase {
        Seconds latency;
        Seconds transfer;
    };
    [[nodiscard]] BytesPerSecond up(std::int64_t members) const;
    [[nodiscard]] Seconds launch(graph::CollectiveKind kind) const;
    /// What moves among which members.
    struct Exchange {
        graph::CollectiveKind kind{};
        Bytes size;
        const Placement& group;
        const graph::Dispatch& dispatch;
    };
    /// How it moves over several domains.
    enum class Way : std::uint8_t {
        levels,  ///< within domains and between them
        rings,   ///< along rings of all members
    };
    [[nodiscard]] Seconds by_library(const Exchange& exchange) const;
    [[nodiscard]] Seconds along(Way way, const Exchange& exchange) const;
    [[nodiscard]] bool takes_rings(const Exchange& exchange) const;
    [[nodiscard]] bool gathers_along_rings() const;
    /// By how much the steps of a ring over all members take longer than `counted`.
    [[nodiscard]] Seconds ring_delay(const Exchange& exchange, Seconds counted) const;
    [[nodiscard]] Phase inside(const Exchange& exchange) const;
    [[nodiscard]] Phase across(Way way, const Exchange& exchange) const;
    /// An all-reduce of a serving engine's own kernels: in one step each member reads the whole vectors of
    /// all others, in two steps their parts and the sums. The faster of the two.
    [[nodiscard]] Seconds direct(Bytes size, const Placement& group) const;
    [[nodiscard]] Seconds in_one_step(Bytes size, std::int64_t members) const;
    [[nodiscard]] Seconds barrier() const;
    [[nodiscard]] Seconds message(Bytes size, const StagePairs& pairs) const;
    [[nodiscard]] Seconds shift(Bytes size, const Placement& group) const;
    [[nodiscard]] bool reduces_in_switches(graph::CollectiveKind kind, const Placement& group) const;

    hardware::NetworkSpec network_;
    BytesPerSecond up_;
    hardware::DomainLinks links_;
    BytesPerSecond out_;
    Blend blend_;
};

}  // namespace dse::model
