#include "dse/model/network/dimension_cost.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionKind;

/// How the members of a line are connected.
enum class Shape : std::uint8_t { star, full, closed, open };

/// Dimensionless counts: links on the critical path of latency, and messages of the size of the whole vector
/// that the busiest link carries.
struct Load {
    double links{0.0};
    double vectors{0.0};

    friend Load operator*(Load load, double factor) { return {load.links * factor, load.vectors * factor}; }
};

class Members {
  public:
    Members(const hardware::DimensionSpec& dimension, const Line& line)
        : count_{line.members}, m_{static_cast<double>(line.members)} {
        switch (dimension.kind) {
            case DimensionKind::switched:
                shape_ = Shape::star;
                break;
            case DimensionKind::fully_connected:
                shape_ = Shape::full;
                break;
            case DimensionKind::ring:
            case DimensionKind::mesh:
                const bool around = line.members * line.stride == dimension.size;
                shape_ = dimension.kind == DimensionKind::ring && around ? Shape::closed : Shape::open;
                stride_ = static_cast<double>(line.stride);
                // Two devices in a ring share a single link.
                ways_ = shape_ == Shape::closed && dimension.size > 2 ? 2.0 : 1.0;
        }
    }

    /// Reduce-scatter or all-gather around a ring of the members.
    [[nodiscard]] Load ring() const {
        const double hops = shape_ == Shape::open ? std::min(2.0, m_ - 1.0) : 1.0;
        return {(m_ - 1.0) * hops * neighbour_links(), others() * stride_ / ways_};
    }

    /// Every member sends a share of 1/m to every other.
    [[nodiscard]] Load direct() const {
        switch (shape_) {
            case Shape::star:
                return {2.0, others()};
            case Shape::full:
                return {1.0, 1.0 / m_};
            case Shape::closed:
                return {farthest() * stride_, messages_around() * stride_ / m_};
            case Shape::open:
                return {farthest() * stride_, messages_across() * stride_ / m_};
        }
        return {};
    }

    /// Exchanges over distances 1, 2, 4, …; each of `share(distance)` of the vector.
    template <class Share>
    [[nodiscard]] Load doubling(Share share) const {
        Load sum;
        for (std::int64_t distance = 1; distance < count_; distance *= 2) {
            const Load step = over(distance);
            sum.links += step.links;
            sum.vectors += step.vectors * share(distance) / m_;
        }
        return sum;
    }

    /// Halving and doubling for reduce-scatter and all-gather.
    [[nodiscard]] Load halving() const {
        return doubling([this](std::int64_t distance) { return nearest(distance); });
    }

    /// Bruck's algorithm for all-to-all: a block is sent over each distance that is set in the binary
    /// representation of its total distance.
    [[nodiscard]] Load bruck() const {
        return doubling([this](std::int64_t distance) {
            const std::int64_t cycle = 2 * distance;
            return static_cast<double>(count_ / cycle * distance +
                                       std::max<std::int64_t>(0, count_ % cycle - distance));
        });
    }

    /// All-reduce by two trees of half the vector each, in slices.
    [[nodiscard]] Load trees() const {
        const double levels = std::bit_width(static_cast<std::uint64_t>(count_ - 1));
        if (shape_ == Shape::star) return {2.0 * levels * 2.0, 2.0};
        if (shape_ == Shape::full) return {2.0 * levels, 1.0};
        // The edges of one level do not overlap, and their length doubles per level.
        return {2.0 * (m_ - 1.0) * stride_, levels * stride_};
    }

    /// One vector to all members, in slices.
    [[nodiscard]] Load broadcast() const {
        if (shape_ == Shape::star) {
            return {2.0 * std::bit_width(static_cast<std::uint64_t>(count_ - 1)), 1.0};
        }
        return {shape_ == Shape::full ? 1.0 : farthest() * stride_, stride_};
    }

    /// Each member sends to the next, the last to the first.
    [[nodiscard]] Load shift() const {
        return {shape_ == Shape::open ? farthest() * stride_ : neighbour_links(), stride_};
    }

  private:
    [[nodiscard]] double others() const { return (m_ - 1.0) / m_; }
    [[nodiscard]] double neighbour_links() const { return shape_ == Shape::star ? 2.0 : stride_; }
    /// In units of the stride, on a closed or open line.
    [[nodiscard]] double farthest() const {
        return shape_ == Shape::closed ? static_cast<double>(count_ / 2) : m_ - 1.0;
    }
    /// Messages over the busiest link when all members send to all others. On a closed line, messages to the
    /// opposite member use both directions; on an open line, the busiest link is the middle one.
    [[nodiscard]] double messages_around() const {
        if (ways_ == 1.0) return 1.0;
        return count_ % 2 == 0 ? m_ * m_ / 8.0 : (m_ * m_ - 1.0) / 8.0;
    }
    [[nodiscard]] double messages_across() const {
        return static_cast<double>(count_ / 2) * static_cast<double>(count_ - count_ / 2);
    }
    /// For distances above half the ring, the other direction is shorter.
    [[nodiscard]] double nearest(std::int64_t distance) const {
        return static_cast<double>(std::min(distance, count_ - distance));
    }
    /// All members send one vector over the same distance.
    [[nodiscard]] Load over(std::int64_t distance) const {
        if (shape_ == Shape::star) return {2.0, 1.0};
        if (shape_ == Shape::full) return {1.0, 1.0};
        const double messages = nearest(distance) * stride_;
        if (shape_ == Shape::closed) return {messages, 2 * distance == count_ ? messages / ways_ : messages};
        // XOR partners stay within blocks; otherwise the last members wrap around and send back over the rest
        // of the line.
        const bool in_blocks = std::has_single_bit(static_cast<std::uint64_t>(count_));
        const auto there = static_cast<double>(distance);
        return {(in_blocks ? there : std::max(there, m_ - there)) * stride_, messages};
    }

    Shape shape_{Shape::star};
    std::int64_t count_;
    double m_;
    double stride_{1.0};
    double ways_{1.0};
};

/// Reduce-scatter or all-gather.
Load half(const Members& members, Algorithm algorithm) {
    if (algorithm == Algorithm::ring) return members.ring();
    if (algorithm == Algorithm::direct) return members.direct();
    if (algorithm == Algorithm::halving_doubling) return members.halving();
    throw ModelError(fmt::format("{} only all-reduces (choose ring, direct or halving_doubling)",
                                 hardware::name(algorithm)));
}

Load all_to_all(const Members& members, Algorithm algorithm, const hardware::DimensionSpec& dimension) {
    if (algorithm == Algorithm::halving_doubling) return members.bruck();
    if (algorithm == Algorithm::double_binary_tree) return half(members, algorithm);
    const bool line = dimension.kind == DimensionKind::ring || dimension.kind == DimensionKind::mesh;
    // On a line, forwarding from neighbour to neighbour loads the links just as direct messages do.
    return algorithm == Algorithm::direct || line ? members.direct() : members.ring();
}

Load load_of(CollectiveKind kind, const Members& members, Algorithm algorithm,
             const hardware::DimensionSpec& dimension) {
    switch (kind) {
        case CollectiveKind::all_reduce:
            return algorithm == Algorithm::double_binary_tree ? members.trees()
                                                              : half(members, algorithm) * 2.0;
        case CollectiveKind::all_gather:
        case CollectiveKind::reduce_scatter:
            return half(members, algorithm);
        case CollectiveKind::all_to_all:
            return all_to_all(members, algorithm, dimension);
        case CollectiveKind::broadcast:
            return members.broadcast();
        case CollectiveKind::ring_shift:
            return members.shift();
    }
    DSE_REQUIRE(false && "a collective without a load");
    return {};
}

}  // namespace

Algorithm usual_algorithm(DimensionKind kind, CollectiveKind collective) {
    if (kind == DimensionKind::ring || kind == DimensionKind::mesh) return Algorithm::ring;
    const bool exchanges_at_once = kind == DimensionKind::fully_connected ||  //
                                   collective == CollectiveKind::all_to_all;
    return exchanges_at_once ? Algorithm::direct : Algorithm::halving_doubling;
}

DimensionCost dimension_cost(CollectiveKind kind, const hardware::DimensionSpec& dimension, const Line& line,
                             Algorithm algorithm) {
    DSE_EXPECT(line.members >= 1 && line.stride >= 1);
    if (line.members == 1) return {};
    if (algorithm == Algorithm::automatic) algorithm = usual_algorithm(dimension.kind, kind);
    const Load load = load_of(kind, Members{dimension, line}, algorithm, dimension);
    return {dimension.link.latency * load.links, load.vectors / dimension.link.sustained().value()};
}

DimensionCost switch_reduction_cost(const hardware::DimensionSpec& dimension) {
    DSE_EXPECT(dimension.reduction.efficiency > 0.0);
    return {dimension.link.latency * 4.0, 1.0 / dimension.reduction.rate(dimension.link).value()};
}

}  // namespace dse::model
