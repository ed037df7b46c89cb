#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "dse/eval/machine.hpp"
#include "dse/hardware/system_spec.hpp"
#include "dse/space/box.hpp"
#include "dse/study/binder.hpp"
#include "eval/bound_roles.hpp"

namespace dse::eval {

/// The machines of a box, as one that is nowhere slower than any of them.
struct BoundMachine {
    Machine machine;
    /// For each combination of networks: everything else as fast and frugal as it gets, and as cheap. A
    /// derived price is the least of all of them.
    std::vector<hardware::SystemSpec> fast;
    std::vector<hardware::SystemSpec> cheap;
};

/// Makes them, and keeps those that were made last.
class BoundMachines {
  public:
    /// More combinations of networks than this are split before they are bounded.
    static constexpr std::uint64_t most_networks = 64;
    /// So are boxes with more values of what a derived price depends on: seconds, once a box of machines.
    static constexpr std::uint64_t most_prices = std::uint64_t{1} << 27U;

    /// \param sweep  outlives this
    BoundMachines(const study::Sweep& sweep, std::vector<BoundRole> roles);

    [[nodiscard]] const std::vector<BoundRole>& roles() const { return roles_; }

    /// Whether the box has one structure, and not too many networks and prices.
    [[nodiscard]] bool can_bound(const space::Box& box) const;

    /// The machine of a box that can_bound(), valid until the next call. \throws ModelError when its values
    /// make no machine
    const BoundMachine& find(const space::Box& box);

    /// Where its fastest machine lies, by the numbers of values; of networks the first.
    [[nodiscard]] std::vector<std::uint64_t> fastest(const space::Box& box) const;

    /// The structure of a box with the fastest of its machines, valid until the next call of either.
    const study::Scenario& scenario(const space::Box& box);

  private:
    enum class Aim { fast, cheap };
    [[nodiscard]] double value_of(std::size_t axis, const space::Run& run, Aim aim) const;
    const study::Scenario& bind(const space::Box& box, std::uint64_t combination, Aim aim);
    [[nodiscard]] std::uint64_t combinations(const space::Box& box) const;
    [[nodiscard]] std::uint64_t prices(const space::Box& box) const;
    double least_price(const space::Box& box);
    double look_for_least_price(const space::Box& box);
    BoundMachine make(const space::Box& box);

    const study::Sweep& sweep_;
    std::vector<BoundRole> roles_;
    std::vector<bool> is_system_;
    const space::Step* price_{nullptr};  ///< that derives the price of the device, where one does
    study::Binder binder_;
    space::Point point_;
    std::map<std::vector<std::uint64_t>, std::unique_ptr<BoundMachine>> kept_;
    std::uint64_t kept_systems_{0};
    std::map<std::vector<std::uint64_t>, double> kept_prices_;
    std::uint64_t serial_{0};
};

}  // namespace dse::eval
