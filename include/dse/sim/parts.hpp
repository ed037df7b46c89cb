#pragma once

#include <array>
#include <cstdint>

#include "dse/graph/mesh.hpp"
#include "dse/graph/work.hpp"

namespace dse::sim {

/// Who a stretch of time on a compute stream is charged to: a group's communication (by its axes; transfers
/// between stages are the pipeline axis'), or one of the reasons below.
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
    static constexpr Cause transfer() { return communication(graph::MeshAxis::pipeline); }
    /// Of a kernel, collective or copy: what it is when another one waits for it.
    static Cause of(const graph::Work& work);

    constexpr Cause() = default;
    /// In [0, cause_count).
    [[nodiscard]] constexpr std::size_t index() const { return code_; }
    friend constexpr bool operator==(Cause, Cause) = default;

  private:
    static constexpr std::uint8_t bubble_code = graph::group_count;
    static constexpr std::uint8_t idle_code = bubble_code + 1;
    static constexpr std::uint8_t imbalance_code = idle_code + 1;
    constexpr explicit Cause(std::uint8_t code) : code_{code} {}
    std::uint8_t code_{idle_code};
};
inline constexpr std::size_t cause_count = graph::group_count + 3;

/// What the limiting stage's compute stream did from one barrier to the next, in s. The limiting stage is the
/// one whose last stream ends last (the first such stage).
///
/// The stream is busy with kernels; with communication that stands on it or holds it; or it waits for an
/// item's last-arriving predecessor (ties: the item's own stream, then its inputs in order, then the compute
/// stream). The stretch of a wait in which this predecessor ran is charged to what it is (see Cause); the
/// stretch before it began, to the predecessor's own last-arriving predecessor, likewise; all before that one
/// began, to the third in this chain. A message that comes in is pipeline communication, and bubble before it
/// began.
struct Parts {
    std::array<double, graph::op_class_count> compute{};  ///< by OpClass
    /// By graph::group_index; the barrier's own duration is in it, at its group.
    std::array<double, graph::group_count> communication{};
    /// The groups, as bits, that have something there: most have nothing, and need not be added up.
    std::uint64_t groups{0};
    double bubble{0};
    /// Waiting for members of one collective that are slower than this rank. 0 while ranks of a stage are
    /// equal.
    double imbalance{0};
    double idle{0};

    void charge(Cause cause, double seconds);
    /// Adds `other` `times` times.
    void add(const Parts& other, double times);
    /// Equals the iteration time exactly.
    [[nodiscard]] double sum() const;
    [[nodiscard]] double compute_time() const;
    /// Whatever groups were looked at.
    friend bool operator==(const Parts& a, const Parts& b) {
        return a.compute == b.compute && a.communication == b.communication && a.bubble == b.bubble &&
               a.imbalance == b.imbalance && a.idle == b.idle;
    }
};
static_assert(graph::group_count <= 64, "Parts::groups has a bit for each");

}  // namespace dse::sim
