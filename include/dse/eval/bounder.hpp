#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dse/space/bounder.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// Bounds of boxes with one layout and many machines.
///
/// The engine `folded` issues in a static order, so that the time of an iteration is (max,+) in the durations
/// of its works: whatever lowers each of them lowers the time. A box is played once, with each axis of the
/// machine that makes things faster at its best value, and of each communication the least time on any of its
/// networks. Memory follows from the order of issue and is exact; energy and money grow with the time, and
/// are taken at the least power and the least rent of the box, which need not be those of one machine.
class MachineBounder final : public space::Bounder {
  public:
    /// \throws InputError where the lemma does not hold: another engine, inference, devices that differ
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
