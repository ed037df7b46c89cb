#pragma once

#include <array>
#include <cstdint>

#include "dse/graph/mesh.hpp"
#include "dse/graph/work.hpp"

namespace dse::sim {

/// Who a stretch of time on a compute stream is charged to: a group's communication (by its axes), or one of
/// the reasons below.
class Cause {
  public:
    /// A peer had not yet begun to send.
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
    /// Of a kernel, collective or copy: what it is when another one waits for it.
    static Cause of(const graph::Work& work);

    constexpr Cause() = default;
    /// In [0, cause_count).
    [[nodiscard]] constexpr std::size_t index() const { return code_; }
    /// Whether it lies with other stages or ranks, or on the way from them.
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

/// Time by what it went to, in s: of a stage's compute stream from one barrier to the next, or along the
/// critical path (PathParts).
///
/// A compute stream is busy with kernels; with communication that stands on it or holds it; or it waits for
/// an item's last-arriving predecessor (ties: the item's own stream, then its inputs in order, then the
/// compute stream). The stretch of a wait in which this predecessor ran is charged to what it is (see Cause);
/// the stretch before it began, to the predecessor's own last-arriving predecessor, likewise; all before that
/// one began, to the third in this chain. What is before a message that comes in is bubble.
struct Parts {
    std::array<double, graph::op_class_count> compute{};  ///< by OpClass
    /// By graph::group_index; the barrier's own duration is in it, at its group.
    std::array<double, graph::group_count> communication{};
    /// The groups, as bits, that have something there: most have nothing, and need not be added up.
    std::uint64_t groups{0};
    double message{0};  ///< between stages
    double bubble{0};   ///< none along a path
    /// Waiting for members of one collective that are slower than this rank. 0 while ranks of a stage are
    /// equal, and along a path, which leads through the slowest one.
    double imbalance{0};
    double idle{0};

    void charge(Cause cause, double seconds);
    /// What runs, not who waits for it: a kernel counts as computing.
    void charge_run(const graph::Work& work, double seconds);
    /// Adds `other` `times` times.
    void add(const Parts& other, double times);
    /// Of a stage: equals the iteration time exactly.
    [[nodiscard]] double sum() const;
    [[nodiscard]] double compute_time() const;
    [[nodiscard]] double communication_time() const;
    /// What a stage would need by itself: without messages and waiting for others.
    [[nodiscard]] double own_time() const { return compute_time() + communication_time() + idle; }
    /// Whatever groups were looked at.
    friend bool operator==(const Parts& a, const Parts& b) {
        return a.compute == b.compute && a.communication == b.communication && a.message == b.message &&
               a.bubble == b.bubble && a.imbalance == b.imbalance && a.idle == b.idle;
    }
};
static_assert(graph::group_count <= 64, "Parts::groups has a bit for each");

}  // namespace dse::sim
