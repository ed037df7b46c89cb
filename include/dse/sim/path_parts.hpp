#pragma once

#include <cstdint>
#include <span>

#include "dse/graph/graph.hpp"
#include "dse/sim/parts.hpp"
#include "dse/sim/waits.hpp"

namespace dse::sim {

/// Breakdown of an iteration's time, in s, along its critical path (sim::critical_path) through all stages
/// (docs/explanations.md). Each section of the path belongs to some work: a kernel, a collective, a message,
/// or a copy or launch, which counts as `Parts::idle`.
///
/// The busiest stage is the one with the most work (sim::busiest_stage). Sections of the path in other stages
/// while the compute stream of the busiest one waits for others (Waits) are the filling and draining of the
/// pipeline: `bubble`. All others are `busy`: in the busiest stage, on messages to or from it, or elsewhere
/// while it is working, too.
struct PathParts {
    std::uint32_t busiest_stage{0};
    Parts busy;
    Parts bubble;

    /// Equals the iteration time exactly.
    [[nodiscard]] double sum() const { return busy.sum() + bubble.sum(); }
    friend bool operator==(const PathParts&, const PathParts&) = default;
};

/// Where work on the path runs.
struct Place {
    std::uint32_t stage{0};
    std::uint32_t peer{0};  ///< of a message: the stage at its other end; otherwise equal to `stage`
};

/// Waits of a compute stream that are found where somebody asks, from the last to the first.
class EarlierWaits {
  public:
    virtual ~EarlierWaits() = default;
    /// The next waits before those that were returned last, leaving out those that do not overlap with an
    /// interval which ends no later than that of the call before.
    /// \return in ascending order, one or several; none if no more are in the interval. Valid until the next
    /// call
    virtual std::span<const Waits::Stretch> before(double end, double start) = 0;
};

/// Fills PathParts, from the path's last section to its first.
class PathLedger {
  public:
    /// \param waits  of the busiest stage's compute stream, until the barrier
    /// \param from   time in s before which nothing is counted
    PathLedger(std::uint32_t busiest, const Waits& waits, double from);
    /// \param waits  likewise; must outlive this object
    PathLedger(std::uint32_t busiest, EarlierWaits& waits, double from);

    void charge(const graph::Work& work, Place place, double start, double end);

    /// The same for several consecutive works of one stage, if all of them belong to `busy` or all to
    /// `bubble`.
    /// \param run  their breakdown according to Parts::charge_run()
    /// \return false, without charging anything, if they do not
    bool charge_whole(const Parts& run, Place place, double start, double end);

    [[nodiscard]] const PathParts& parts() const { return parts_; }

  private:
    void find_waits(double end, double start);
    [[nodiscard]] bool involves_busiest(Place place) const {
        return place.stage == parts_.busiest_stage || place.peer == parts_.busiest_stage;
    }

    PathParts parts_;
    std::span<const Waits::Stretch> waits_;  // those that the next sections may overlap
    EarlierWaits* earlier_{nullptr};         // before these; nullptr: no others
    double from_;
};

}  // namespace dse::sim
