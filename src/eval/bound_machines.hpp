#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/eval/machine.hpp"
#include "dse/hardware/system_spec.hpp"
#include "dse/space/box.hpp"
#include "dse/study/binder.hpp"
#include "eval/bound_roles.hpp"

namespace dse::eval {

/// A machine that is at least as fast as all machines of a box in every respect.
struct BoundMachine {
    Machine machine;
    /// For each combination of networks, the system with all other axes at their fastest and most efficient
    /// values (`fast`) and at their cheapest values (`cheap`). A derived price is the lowest one in the box.
    std::vector<hardware::SystemSpec> fast;
    std::vector<hardware::SystemSpec> cheap;
};

/// Builds such machines and caches recent ones.
class BoundMachines {
  public:
    /// Boxes with more combinations of networks are split before they are bounded.
    static constexpr std::uint64_t most_networks = 64;
    /// Boxes with more combinations of values that a derived price depends on are split as well. This many
    /// take seconds, once per box of machines.
    static constexpr std::uint64_t most_prices = std::uint64_t{1} << 27U;

    /// \param sweep  must outlive this object
    BoundMachines(const study::Sweep& sweep, std::vector<BoundRole> roles);

    [[nodiscard]] const std::vector<BoundRole>& roles() const { return roles_; }

    /// Whether the box has a single structure, and not too many networks and prices.
    [[nodiscard]] bool can_bound(const space::Box& box) const;

    /// The machine of a box, valid until the next call.
    /// \pre can_bound(box)
    /// \throws ModelError if the values of the box do not form a valid machine
    const BoundMachine& find(const space::Box& box);

    /// What is left of a box if memory of devices, and of hosts, is at least this large: all points of the
    /// box that fit are in it. Cheap machines, which have little memory, are often too small for a layout.
    /// What is left out is at one end of an axis.
    /// \pre some value of each axis is large enough
    [[nodiscard]] space::Box with_room(const space::Box& box, Bytes device, Bytes host) const;

    /// Indices of the values of the fastest machine in the box, with the first network and the least memory,
    /// which costs no time.
    [[nodiscard]] std::vector<std::uint64_t> fastest(const space::Box& box) const;

    /// The structure of a box with its fastest machine; valid until the next call of scenario() or find().
    const study::Scenario& scenario(const space::Box& box);

  private:
    enum class Aim { fast, cheap };
    /// Whether an axis is this field, and larger values are as good as smaller ones or better.
    [[nodiscard]] bool is_capacity(std::size_t axis, std::string_view path) const;
    [[nodiscard]] double value_of(std::size_t axis, const space::Run& run, Aim aim) const;
    const study::Scenario& bind(const space::Box& box, std::uint64_t combination, Aim aim);
    [[nodiscard]] bool sets_system(const space::Step& step) const;
    [[nodiscard]] std::uint64_t combinations(const space::Box& box) const;
    [[nodiscard]] std::uint64_t prices(const space::Box& box) const;
    double least_price(const space::Box& box);
    double look_for_least_price(const space::Box& box);
    BoundMachine make(const space::Box& box);

    const study::Sweep& sweep_;
    std::vector<BoundRole> roles_;
    std::vector<bool> is_system_;        ///< whether the machine depends on the axis, also through others
    const space::Step* price_{nullptr};  ///< the step that derives the price of the device, if any
    study::Binder binder_;
    space::Point point_;
    std::map<std::vector<std::uint64_t>, std::unique_ptr<BoundMachine>> kept_;
    std::uint64_t kept_systems_{0};
    std::map<std::vector<std::uint64_t>, double> kept_prices_;
    std::uint64_t serial_{0};
};

}  // namespace dse::eval
