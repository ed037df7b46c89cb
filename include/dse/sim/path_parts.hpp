#pragma once

#include <cstdint>
#include <span>

#include "dse/graph/graph.hpp"
#include "dse/sim/parts.hpp"
#include "dse/sim/waits.hpp"

namespace dse::sim {

/// What an iteration's time went to, in s, along its critical path (sim::critical_path) through all stages
/// (docs/explanations.md). Each stretch of the path is some work's: a kernel's, a collective's, a message's,
/// or a copy's or launch's, which is `Parts::idle`.
///
/// The busiest stage is the one that has most to do (sim::busiest_stage). Where the path leads through
/// another stage while the compute stream of the busiest one waits for others (Waits), it is the pipeline's
/// filling and draining: `bubble`. All else is `busy`: in the busiest stage, on the way to it or from it, or
/// elsewhere while it has something to do as well.
struct PathParts {
    std::uint32_t busiest_stage{0};
    Parts busy;
    Parts bubble;

    /// Equals the iteration time exactly.
    [[nodiscard]] double sum() const { return busy.sum() + bubble.sum(); }
    friend bool operator==(const PathParts&, const PathParts&) = default;
};

/// Where some work of the path runs.
struct Place {
    std::uint32_t stage{0};
    std::uint32_t peer{0};  ///< of a message: the stage at its other end; else the same
};

/// Fills PathParts, from the path's last stretch to its first.
class PathLedger {
  public:
    /// \param waits  of the busiest stage's compute stream, until the barrier
    /// \param from   what lies before it is not counted, s
    PathLedger(std::uint32_t busiest, const Waits& waits, double from);

    void charge(const graph::Work& work, Place place, double start, double end);

    /// The same for several works of one stage, one after the other, if all of them go to one account.
    /// \param run  what they are, as Parts::charge_run() has it
    /// \return whether they do; nothing is charged where they do not
    bool charge_whole(const Parts& run, Place place, double start, double end);

    [[nodiscard]] const PathParts& parts() const { return parts_; }

  private:
    void leave_out_waits_from(double end);
    [[nodiscard]] bool involves_busiest(Place place) const {
        return place.stage == parts_.busiest_stage || place.peer == parts_.busiest_stage;
    }

    PathParts parts_;
    std::span<const Waits::Stretch> waits_;  ///< that may lie before what comes next
    double from_;
};

}  // namespace dse::sim
