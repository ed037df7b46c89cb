#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dse/space/bounder.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// Bounds of boxes with one layout and many machines.
///
/// Engine `folded` issues in a static order, so the iteration time is a (max,+) function of the durations of
/// its works: lowering any duration never increases the time. A box is simulated once, with each ordered axis
/// of the machine at its fastest value and each communication at its shortest time on any network of the box.
/// Memory follows from the issue order and is exact. Energy and cost grow with time; they are taken at the
/// lowest power and the lowest price in the box, which need not belong to the same machine.
class MachineBounder final : public space::Bounder {
  public:
    /// \throws InputError if this does not hold: another engine, inference, or different kinds of devices
    explicit MachineBounder(const study::Sweep& sweep);
    ~MachineBounder() override;

    [[nodiscard]] bool knows(const metrics::Objective& objective) const override;
    [[nodiscard]] bool is_enumerated(std::size_t axis) const override;
    space::Bounds bounds(const space::Box& box) override;
    [[nodiscard]] std::vector<std::uint64_t> promising(const space::Box& box) const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::eval
