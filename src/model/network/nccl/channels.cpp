#include "dse/model/network/nccl/channels.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "dse/base/check.hpp"

namespace dse::model {
namespace {

using hardware::GpuGeneration;

enum class Pattern : std::uint8_t { ring, tree, switches, collnet_direct };

constexpr std::int64_t most_channels = 32;  // NCCL has 64; it searches half of them and duplicates the result
constexpr std::int64_t most_switch_heads = 32;
constexpr std::int64_t most_collnet_heads = 8;
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// Candidate channel speeds [GB/s], fastest first.
std::span<const double> speeds(GpuGeneration generation, bool alone) {
    static constexpr std::array intra{40.0, 30.0, 20.0, 18.0, 15.0, 12.0, 10.0, 9.0, 7.0, 6.0, 5.0, 4.0, 3.0};
    static constexpr std::array inter{48.0, 30.0, 28.0, 24.0, 20.0, 18.0, 15.0, 12.0, 10.0, 9.0,
                                      7.0,  6.0,  5.0,  4.0,  3.0,  2.4,  1.2,  0.24, 0.12};
    static constexpr std::array hopper_intra{60.0, 50.0, 40.0, 30.0, 24.0, 20.0, 15.0, 12.0, 11.0, 6.0, 3.0};
    static constexpr std::array hopper_inter{48.0, 45.0, 42.0, 40.0, 30.0, 24.0, 22.0, 20.0, 17.5,
                                             15.0, 12.0, 6.0,  3.0,  2.4,  1.2,  0.24, 0.12};
    static constexpr std::array blackwell_intra{90.0, 80.0, 70.0, 60.0, 50.0, 45.0,
                                                40.0, 30.0, 24.0, 20.0, 19.0, 18.0};
    static constexpr std::array blackwell_inter{96.0, 86.0, 80.0, 48.0, 45.1, 42.0, 40.0, 30.0, 24.0, 22.0,
                                                20.0, 17.5, 15.0, 12.0, 6.0,  3.0,  2.4,  1.2,  0.24, 0.12};
    if (generation == GpuGeneration::blackwell) {
        return alone ? std::span<const double>{blackwell_intra} : blackwell_inter;
    }
    if (generation == GpuGeneration::hopper) {
        return alone ? std::span<const double>{hopper_intra} : hopper_inter;
    }
    return alone ? std::span<const double>{intra} : inter;
}

/// ⌊whole/part⌋, robust against rounding of decimal fractions whose quotient is whole.
std::int64_t times(double whole, double part) {
    return static_cast<std::int64_t>(whole / part * (1.0 + 1e-12));
}

class Search {
  public:
    Search(const NcclNode& node, Pattern pattern, std::int64_t least, std::int64_t most)
        : node_{node},
          pattern_{pattern},
          least_{least},
          most_{most},
          speeds_{speeds(node.generation, node.alone)} {}

    NcclChannels run() {
        first_pass();
        if (best_.count == 0) return best_;
        split();
        least_ = best_.count;
        second_pass();
        return best_;
    }

  private:
    /// Number of channels of these speeds that both NVLink and the NICs can carry.
    [[nodiscard]] std::int64_t fit(double intra, double inter) const {
        return std::min({most_, over_nvlink(intra), over_nics(inter)});
    }

    [[nodiscard]] std::int64_t over_nvlink(double speed) const {
        const auto devices = static_cast<double>(node_.devices);
        if (node_.devices == 1) return unlimited;
        switch (pattern_) {
            case Pattern::ring:
                // A ring that leaves the domain uses one link fewer inside than there are devices.
                return times(node_.alone ? node_.nvlink : node_.nvlink * devices / (devices - 1.0), speed);
            case Pattern::tree:
                return times(node_.nvlink * devices / (devices - 1.0), speed);
            case Pattern::switches:
                // Each channel passes every link once, and its head's link twice.
                return times(node_.nvlink, speed) - 1;
            case Pattern::collnet_direct:
                // A head sends to all others what they send to it: c channels load a link by 1 + (c-1)/(g-1).
                return times((node_.nvlink / speed - 1.0) * (devices - 1.0) + 1.0, 1.0);
        }
        DSE_REQUIRE(false && "a pattern that loads no links");
        return 0;
    }

    [[nodiscard]] std::int64_t over_nics(double speed) const {
        if (node_.alone) return unlimited;
        const bool one_a_nic = pattern_ == Pattern::switches || pattern_ == Pattern::collnet_direct;
        const std::int64_t each = times(node_.nic, speed);
        return node_.nics * (one_a_nic ? std::min<std::int64_t>(each, 1) : each);
    }

    /// Maximizes the bandwidth at equal speeds inside and outside, from the fastest speed down.
    void first_pass() {
        for (std::size_t i = fastest(); i < speeds_.size(); ++i) {
            if (best_.count > 0 && speeds_[i] / best_.inter <= 0.49) return;
            offer({fit(speeds_[i], speeds_[i]), speeds_[i], speeds_[i]});
            const double total = static_cast<double>(best_.count) * best_.inter;
            if (best_.count == most_ || (best_.count > 0 && total >= node_.nvlink)) return;
        }
    }

    [[nodiscard]] std::size_t fastest() const {
        const auto devices = static_cast<double>(node_.devices);
        const bool closed = pattern_ == Pattern::ring || node_.devices == 1;
        const double total = closed ? node_.nvlink : node_.nvlink * devices / (devices - 1.0);
        const double most = node_.alone ? node_.nvlink : node_.nic;
        std::size_t i = 0;
        while (i + 1 < speeds_.size() &&
               (speeds_[i] > most || speeds_[i] * static_cast<double>(least_) > total)) {
            ++i;
        }
        return i;
    }

    /// Keeps the channels if they are better than the best so far.
    bool offer(const NcclChannels& found) {
        if (found.count < std::max<std::int64_t>(least_, 1)) return false;
        const auto count = static_cast<double>(found.count);
        const auto best_count = static_cast<double>(best_.count);
        const bool better = pattern_ == Pattern::switches
                                ? found.count > best_.count || count * found.inter > best_count * best_.inter
                                : count * found.intra > best_count * best_.intra;
        if (better) best_ = found;
        return better;
    }

    /// Splits each channel into two if channels are fast.
    void split() {
        const bool slow = best_.intra < 25.0;
        const bool enough =
            (node_.generation == GpuGeneration::hopper || node_.generation == GpuGeneration::blackwell) &&
            best_.intra < 50.0 && best_.count > 4;
        if (pattern_ == Pattern::switches || slow || enough) return;
        const std::int64_t split = std::min(2 * best_.count, most_);
        const auto parts = static_cast<double>((split + best_.count - 1) / best_.count);
        best_ = {split, best_.intra / parts, best_.inter / parts};
    }

    /// Looks for faster channels without reducing their number: both speeds for rings, only one of them for
    /// other patterns.
    void second_pass() {
        std::size_t i = 0;
        while (i + 1 < speeds_.size() && speeds_[i] > best_.inter) ++i;
        NcclChannels next{0, speeds_[i], speeds_[i]};
        while (i > 0) {
            if (pattern_ == Pattern::ring) {
                next.intra = next.inter = speeds_[--i];
            } else if (pattern_ == Pattern::switches && next.inter == best_.inter &&
                       next.inter < next.intra * 2.0) {
                next.inter = speeds_[--i];
            } else if (next.intra == best_.intra && next.intra < next.inter * 2.0) {
                next.intra = speeds_[--i];
            } else {
                return;
            }
            offer({fit(next.intra, next.inter), next.intra, next.inter});
        }
    }

    const NcclNode& node_;
    Pattern pattern_;
    std::int64_t least_;
    std::int64_t most_;
    std::span<const double> speeds_;
    NcclChannels best_;
};

}  // namespace

NcclChannels ring_channels(const NcclNode& node) {
    return Search{node, Pattern::ring, 1, most_channels}.run();
}

NcclChannels tree_channels(const NcclNode& node, const NcclChannels& ring) {
    if (ring.count == 0) return {};
    return Search{node, Pattern::tree, ring.count, ring.count}.run();
}

NcclChannels switch_channels(const NcclNode& node) {
    const std::int64_t heads = std::min(most_switch_heads, node.devices);
    if (node.alone) return Search{node, Pattern::switches, heads, heads}.run();
    return Search{node, Pattern::switches, 1, std::min(heads, node.nics)}.run();
}

NcclChannels collnet_direct_channels(const NcclNode& node) {
    const std::int64_t heads = std::min({most_collnet_heads, node.devices, node.nics});
    return Search{node, Pattern::collnet_direct, 1, heads}.run();
}

}  // namespace dse::model
