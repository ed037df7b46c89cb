#pragma once

#include <array>
#include <cstdint>

#include "dse/graph/mesh.hpp"
#include "dse/graph/work.hpp"

namespace dse::sim {

/// What an interval of time on a compute stream is attributed to: a group's communication (by its axes), or
/// one of the causes below.
class Cause {
  public:
    /// A peer had not started to send yet.
    static constexpr Cause bubble() { return Cause{bubble_code}; }
    /// A dependency inside the rank: another stream's kernel or copy.
    static constexpr Cause idle() { return Cause{idle_code}; }
    /// A slower member of the same collective.
    static constexpr Cause imbalance() { return Cause{imbalance_code}; }
    static constexpr Cause communication(graph::AxisSet axes) {
        return Cause{static_cast<std::uint8_t>(graph::group_index(axes))};
    }
    /// A message between stages.
    static constexpr Cause message() { return Cause{message_code}; }
    /// The cause of a wait for this kernel, collective or copy.
    static Cause of(const graph::Work& work);

    constexpr Cause() = default;
    /// In [0, cause_count).
    [[nodiscard]] constexpr std::size_t index() const { return code_; }
    /// Whether other stages or ranks, or messages from them, are the cause.
    [[nodiscard]] constexpr bool is_of_others() const {
        return code_ == bubble_code || code_ == imbalance_code || code_ == message_code;
    }
    friend constexpr bool operator==(Cause, Cause) = default;

  private:
    static constexpr std::uint8_t bubble_code = graph::group_count;
    static constexpr std::uint8_t idle_code = bubble_code + 1;
    static constexpr std::uint8_t imbalance_code = idle_code + 1;
    static constexpr std::uint8_t message_code = imbalance_code + 1;
    constexpr explicit Cause(std::uint8_t code) : code_{code} {}
    std::uint8_t code_{idle_code};
};
inline constexpr std::size_t cause_count = graph::group_count + 4;

/// Breakdown of time, in s: of a stage's compute stream from one barrier to the next, or along the critical
/// path (PathParts).
///
/// A compute stream is busy with kernels, is busy with or blocked by communication, or waits for an item's
/// last-arriving predecessor (ties: the item's own stream, then its inputs in order, then the compute
/// stream). The interval of a wait in which this predecessor ran is attributed to it (see Cause); the
/// interval before its start, likewise, to the predecessor's own last-arriving predecessor; everything before
/// the start of that one to the third in this chain. The time before an incoming message is bubble.
struct Parts {
    std::array<double, graph::op_class_count> compute{};  ///< by OpClass
    /// By graph::group_index. The barrier's own duration is included, at its group.
    std::array<double, graph::group_count> communication{};
    /// Bit set of the groups with entries in `communication`. Most have none and can be skipped in sums.
    std::uint64_t groups{0};
    double message{0};  ///< between stages
    double bubble{0};   ///< 0 along a path
    /// Waiting for slower members of a collective. 0 if the ranks of a stage are equal, and along a path,
    /// which leads through the slowest one.
    double imbalance{0};
    double idle{0};

    void charge(Cause cause, double seconds);
    /// Adds the run time of some work, whatever waits for it: a kernel counts as compute.
    void charge_run(const graph::Work& work, double seconds);
    /// Adds `other`, multiplied by `times`.
    void add(const Parts& other, double times);
    /// For a stage, equals the iteration time exactly.
    [[nodiscard]] double sum() const;
    [[nodiscard]] double compute_time() const;
    [[nodiscard]] double communication_time() const;
    /// Time that a stage would need by itself, without messages and without waiting for others.
    [[nodiscard]] double own_time() const { return compute_time() + communication_time() + idle; }
    /// Ignores `groups`.
    friend bool operator==(const Parts& a, const Parts& b) {
        return a.compute == b.compute && a.communication == b.communication && a.message == b.message &&
               a.bubble == b.bubble && a.imbalance == b.imbalance && a.idle == b.idle;
    }
};
static_assert(graph::group_count <= 64, "Parts::groups has a bit for each");

}  // namespace dse::sim
