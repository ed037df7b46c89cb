#include "dse/model/network/nccl/tuner.hpp"

#include <algorithm>
#include <bit>

#include "dse/base/check.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::GpuGeneration;
using hardware::HostProcessor;

constexpr std::int64_t most_switch_devices = 32;
constexpr std::int64_t most_collnet_devices = 8;

/// ⌊log2 n⌋
double log2_floor(std::int64_t n) {
    return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n)) - 1);
}

bool gathers_or_scatters(CollectiveKind kind) {
    return kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter;
}

/// Lists the candidates for one collective of one group.
class Listing {
  public:
    Listing(const NcclGroup& group, CollectiveKind kind)
        : group_{group},
          kind_{kind},
          reduces_{kind == CollectiveKind::all_reduce},
          inside_{static_cast<double>(group.node.devices)},
          domains_{static_cast<double>(group.domains)},
          members_{inside_ * domains_},
          ceilings_{nccl_constants::ceilings(group.node.generation, group.processor, group.domains)},
          ring_{ring_channels(group.node)},
          tree_{tree_channels(group.node, ring_)} {
        steps_ = reduces_ ? 2.0 * (members_ - 1.0) : gathers_or_scatters(kind) ? members_ - 1.0 : members_;
        ring_.count = tree_.count = std::min(ring_.count, tree_.count);
    }

    NcclCandidates list() {
        add_rings();
        if (reduces_) add_trees();
        if (gathers_or_scatters(kind_) && group_.node.devices == 1) add_pat();
        if (kind_ == CollectiveKind::broadcast) return candidates_;
        if (switches_reduce()) add_switches();
        if (group_.fabric_reduces && group_.domains > 1) add_collnet();
        return candidates_;
    }

  private:
    [[nodiscard]] bool alone() const { return group_.domains == 1; }
    [[nodiscard]] bool has(NcclProtocol protocol) const {
        return protocol != NcclProtocol::ll128 || group_.ll128;
    }

    /// Vectors per second divided by bytes per second on the busiest link of a ring.
    [[nodiscard]] double per_ring() const { return members_ / steps_; }

    /// Speed of a channel: that of NVLink for up to two domains, that of the NICs for more.
    [[nodiscard]] double speed(const NcclChannels& channels) const {
        return group_.domains <= 2 ? channels.intra : channels.inter;
    }

    [[nodiscard]] double inter_latency(NcclAlgorithm algorithm, NcclProtocol protocol) const {
        // Devices alone in their domains cannot hide any of it.
        const NcclAlgorithm row = group_.node.devices == 1 ? NcclAlgorithm::tree : algorithm;
        const double flush = protocol == NcclProtocol::simple ? 2.0 : 1.0;
        return nccl_constants::net_latency(row, protocol) + group_.net_latency * flush;
    }

    void add(NcclAlgorithm algorithm, NcclProtocol protocol, double latency, double bandwidth, double links,
             const NcclChannels& channels, double per_fabric) {
        if (bandwidth <= 0.0) return;
        const double sustained = static_cast<double>(group_.node.nics) * group_.node.nic * group_.nic_share;
        const double nics =
            alone() ? 0.0 : std::min(static_cast<double>(channels.count) * channels.inter, sustained);
        candidates_.add({algorithm, protocol, latency, bandwidth, links, nics * per_fabric, channels.count});
    }

    void add_rings() {
        const auto count = static_cast<double>(ring_.count);
        const double bus = count * speed(ring_);
        for (const NcclProtocol protocol : {NcclProtocol::ll, NcclProtocol::ll128, NcclProtocol::simple}) {
            if (!has(protocol)) continue;
            double attained = bus;
            if (protocol == NcclProtocol::ll) attained = std::min(ceilings_.ll, bus * 0.5);
            if (protocol == NcclProtocol::ll128) {
                attained = std::min(bus * 0.92, count * ceilings_.ring_ll128);
            }
            attained *= per_ring();
            add(NcclAlgorithm::ring, protocol, ring_latency(protocol), attained, attained, ring_, per_ring());
        }
    }

    [[nodiscard]] double ring_latency(NcclProtocol protocol) const {
        const double base = nccl_constants::base_latency(NcclAlgorithm::ring, protocol);
        if (kind_ == CollectiveKind::broadcast) return base + broadcast_latency(protocol);
        const double inter_steps = alone() ? 0.0 : (reduces_ ? 2.0 : 1.0) * (domains_ - 1.0);
        double intra = nccl_constants::nvlink_latency(NcclAlgorithm::ring, protocol);
        if (!alone()) intra = std::max(intra, post_overhead(protocol));
        return base + (steps_ - inter_steps) * intra +
               inter_steps * inter_latency(NcclAlgorithm::ring, protocol);
    }

    /// Channels that visit the devices in the same order pay a single step; channels that start at different
    /// NICs pay all steps.
    [[nodiscard]] double broadcast_latency(NcclProtocol protocol) const {
        const bool same_order = alone() || group_.node.nics == 1;
        const bool as_tree = !same_order && protocol == NcclProtocol::simple;
        const NcclAlgorithm row = as_tree ? NcclAlgorithm::tree : NcclAlgorithm::ring;
        const double step = alone() ? nccl_constants::nvlink_latency(row, protocol)
                                    : nccl_constants::net_latency(row, protocol);
        return same_order ? step : steps_ * step;
    }

    /// Time for a processor to post a message to its NIC.
    [[nodiscard]] double post_overhead(NcclProtocol protocol) const {
        const double once = group_.processor == HostProcessor::amd ? 2.0 : 1.0;
        return protocol == NcclProtocol::simple ? 3.0 * once : once;
    }

    void add_trees() {
        const auto count = static_cast<double>(tree_.count);
        const double bus = std::min(count * speed(tree_) * 0.92, count * ceilings_.tree);
        for (const NcclProtocol protocol : {NcclProtocol::ll, NcclProtocol::ll128, NcclProtocol::simple}) {
            if (!has(protocol)) continue;
            double attained = bus;
            if (protocol == NcclProtocol::ll) attained = std::min(bus / 3.8, ceilings_.ll);
            if (protocol == NcclProtocol::ll128) {
                attained =
                    std::min(bus * (alone() ? 7.0 / 9.0 : 120.0 / 128.0), count * ceilings_.tree_ll128);
            }
            // Devices alone in their domains have no balanced tree.
            if (group_.node.devices == 1) attained *= 0.85;
            attained *= 0.5;
            const double latency =
                nccl_constants::base_latency(NcclAlgorithm::tree, protocol) +
                2.0 * ((inside_ - 1.0) * nccl_constants::nvlink_latency(NcclAlgorithm::tree, protocol) +
                       log2_floor(group_.domains) * inter_latency(NcclAlgorithm::tree, protocol));
            // Between two domains, a vector crosses once in each direction; deeper trees forward it.
            add(NcclAlgorithm::tree, protocol, latency, attained, attained, tree_,
                group_.domains == 2 ? 1.0 : 0.5);
        }
    }

    void add_pat() {
        constexpr NcclAlgorithm pat = NcclAlgorithm::pat;
        constexpr NcclProtocol simple = NcclProtocol::simple;
        const double attained = static_cast<double>(tree_.count) * speed(tree_) * 0.75;
        const double latency = nccl_constants::base_latency(pat, simple) +
                               log2_floor(group_.domains) * inter_latency(pat, simple) / 3.5 + members_ * 2.8;
        add(pat, simple, latency, attained, attained, tree_, per_ring());
    }

    [[nodiscard]] bool switches_reduce() const {
        const bool known = nccl_constants::switch_efficiency(group_.node.generation) > 0.0;
        return group_.switches_reduce && known && group_.node.devices > 1 &&
               (reduces_ || group_.node.devices <= most_switch_devices);
    }

    void add_switches() {
        const NcclChannels channels = switch_channels(group_.node);
        if (channels.count < 2) return;
        const auto count = static_cast<double>(channels.count);
        // An all-reduce reduces and multicasts at once.
        const double both = reduces_ ? 2.0 : (inside_ - 1.0) / inside_;
        const double intra = channels.intra * nccl_constants::switch_efficiency(group_.node.generation) *
                             (count - 1.0) / count * both;
        const double scale = count * (reduces_ ? per_ring() : 1.0);
        constexpr NcclProtocol simple = NcclProtocol::simple;
        if (alone() || (group_.fabric_reduces && (reduces_ || group_.node.devices <= channels.count))) {
            double latency = nccl_constants::nvlink_latency(NcclAlgorithm::nvls, simple);
            if (!alone()) latency += inter_latency(NcclAlgorithm::nvls, simple);
            // NCCL limits a channel by its NIC speed even if no NIC is involved.
            const double limited = std::min(intra, channels.inter) * scale;
            add(NcclAlgorithm::nvls, simple, latency, limited, alone() ? intra * scale : limited, channels,
                1.0);
        }
        if (reduces_ && !alone()) add_switch_tree(channels, intra, scale);
    }

    void add_switch_tree(const NcclChannels& channels, double intra, double scale) {
        constexpr NcclAlgorithm nvls_tree = NcclAlgorithm::nvls_tree;
        constexpr NcclProtocol simple = NcclProtocol::simple;
        const double twice = group_.domains == 2 ? 2.0 : 1.0;
        const double attained = std::min({intra, channels.inter * twice, ceilings_.nvls_tree}) * scale;
        const double latency = nccl_constants::nvlink_latency(nvls_tree, simple) +
                               2.0 * log2_floor(group_.domains) * inter_latency(nvls_tree, simple);
        add(nvls_tree, simple, latency, attained, attained, channels, twice * per_ring());
    }

    void add_collnet() {
        if (group_.node.devices > most_collnet_devices) return;
        const NcclChannels direct = collnet_direct_channels(group_.node);
        if (direct.count > 0) add_collnet_direct(direct);
        if (!reduces_) return;
        constexpr NcclAlgorithm chain = NcclAlgorithm::collnet_chain;
        constexpr NcclProtocol simple = NcclProtocol::simple;
        const double attained = static_cast<double>(tree_.count) * tree_.intra * 0.5;
        add(chain, simple,
            2.0 * (inside_ - 1.0) * nccl_constants::nvlink_latency(chain, simple) +
                inter_latency(chain, simple),
            attained, attained, tree_, 1.0);
    }

    void add_collnet_direct(const NcclChannels& channels) {
        constexpr NcclAlgorithm direct = NcclAlgorithm::collnet_direct;
        constexpr NcclProtocol simple = NcclProtocol::simple;
        const double latency =
            2.0 * (std::min(1.0, inside_ - 1.0) * nccl_constants::nvlink_latency(direct, simple) +
                   (inside_ - 1.0) * 0.4) +
            inter_latency(direct, simple);
        double attained = inside_ * std::min(channels.intra, channels.inter * 0.9);
        if (reduces_) {
            // Devices without a NIC of their own use those of others.
            const auto count = static_cast<double>(channels.count);
            const double devices_a_nic = inside_ / count;
            attained = count * channels.intra / (devices_a_nic - (devices_a_nic - 1.0) / 2.0) * 0.5;
            if (nccl_constants::switch_efficiency(group_.node.generation) > 0.0) attained *= 0.85;
        } else if (group_.node.devices > channels.count) {
            return;
        }
        add(direct, simple, latency, attained, attained, channels, 1.0);
    }

    const NcclGroup& group_;
    CollectiveKind kind_;
    bool reduces_;
    double inside_;
    double domains_;
    double members_;
    double steps_{0.0};
    nccl_constants::Ceilings ceilings_;
    NcclChannels ring_;
    NcclChannels tree_;
    NcclCandidates candidates_;
};

}  // namespace

NcclCandidates NcclTuner::candidates(CollectiveKind kind) const {
    DSE_EXPECT(group_.members() > 1);
    return Listing{group_, kind}.list();
}

double NcclTuner::latency(const NcclCandidate& candidate, CollectiveKind kind, double bytes) const {
    if (candidate.algorithm != NcclAlgorithm::ring || candidate.protocol != NcclProtocol::simple ||
        kind != CollectiveKind::all_reduce || group_.domains == 1) {
        return candidate.latency;
    }
    // NCCL runs each channel that it found twice.
    const auto parts = static_cast<double>(2 * candidate.channels * group_.members());
    if (bytes < 64.0 * parts) return candidate.latency;
    return candidate.latency * (group_.node.generation == GpuGeneration::volta ? 1.9 : 1.4);
}

double NcclTuner::correction(const NcclCandidate& candidate, double bytes) const {
    const bool tree = candidate.algorithm == NcclAlgorithm::tree;
    const bool corrected_switches = candidate.algorithm == NcclAlgorithm::nvls_tree &&
                                    group_.node.generation == GpuGeneration::blackwell &&
                                    group_.processor != HostProcessor::arm;
    if (!tree && !corrected_switches) return 1.0;
    return nccl_constants::tree_correction(candidate.algorithm, candidate.protocol, bytes);
}

double NcclTuner::estimate(const NcclCandidate& candidate, CollectiveKind kind, double bytes) const {
    return latency(candidate, kind, bytes) +
           bytes / (1000.0 * candidate.bandwidth * correction(candidate, bytes));
}

}  // namespace dse::model
