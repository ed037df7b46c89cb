#include "eval/bound_machines.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "dse/hardware/device/slowest_device.hpp"
#include "dse/hardware/slowest_by_class.hpp"
#include "dse/model/registry.hpp"
#include "dse/netsim/registry.hpp"
#include "eval/bound_network.hpp"

namespace dse::eval {
namespace {

/// Maximum number of cached systems: some megabytes.
constexpr std::uint64_t most_systems = 4096;
/// Maximum number of cached prices: some hundred megabytes.
constexpr std::size_t most_kept_prices = 1'000'000;

constexpr std::string_view device_capacity = "system.cluster.device.memory.capacity";
constexpr std::string_view host_capacity = "system.cluster.host.capacity";

/// Of machines that differ in their networks.
std::int64_t fewest_domains(const std::vector<hardware::SystemSpec>& systems, std::int64_t devices) {
    std::int64_t fewest = devices;
    for (const hardware::SystemSpec& system : systems)
        fewest = std::min(fewest, hardware::domains_of(system, devices));
    return fewest;
}

}  // namespace

BoundMachines::BoundMachines(const study::Sweep& sweep, std::vector<BoundRole> roles)
    : sweep_{sweep}, roles_{std::move(roles)}, binder_{sweep} {
    for (const space::Axis& axis : sweep.space->axes())
        is_system_.push_back(!axis.is_free() && !axis.info.path.starts_with("workload."));
    // From the last step, which may depend on what others set.
    const std::vector<space::Step>& steps = sweep.space->steps();
    for (std::size_t i = steps.size(); i-- > 0;) {
        const space::Step& step = steps[i];
        if (step.kind == space::Step::Kind::require || !sets_system(step)) continue;
        for (const std::size_t axis : step.axes) is_system_[axis] = true;
        const bool derives = step.kind == space::Step::Kind::derive;
        if (derives && sweep.space->derived()[step.index].info.path == derived_price) price_ = &step;
    }
    point_.values.resize(sweep.space->width());
}

/// Whether a step sets a field outside of the workload, or the value of an axis that does.
bool BoundMachines::sets_system(const space::Step& step) const {
    if (step.kind == space::Step::Kind::activate)
        return is_system_[sweep_.space->conditions()[step.index].axis];
    const std::string& path = sweep_.space->derived()[step.index].info.path;
    return !path.empty() && !path.starts_with("workload.");
}

std::uint64_t BoundMachines::combinations(const space::Box& box) const {
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        if (roles_[i] != BoundRole::network) continue;
        if (box.axes[i].count > most_networks) return most_networks + 1;
        product = std::min(product * box.axes[i].count, most_networks + 1);
    }
    return product;
}

bool BoundMachines::can_bound(const space::Box& box) const {
    for (std::size_t i = 0; i < roles_.size(); ++i)
        if (roles_[i] == BoundRole::structure && box.axes[i].count > 1) return false;
    return combinations(box) <= most_networks && prices(box) <= most_prices;
}

std::uint64_t BoundMachines::prices(const space::Box& box) const {
    std::uint64_t product = 1;
    if (price_ == nullptr) return product;
    for (const std::size_t axis : price_->axes) {
        if (box.axes[axis].count > most_prices) return most_prices + 1;
        product = std::min(product * box.axes[axis].count, most_prices + 1);
    }
    return product;
}

double BoundMachines::least_price(const space::Box& box) {
    std::vector<std::uint64_t> key;
    for (const std::size_t axis : price_->axes) {
        key.push_back(box.axes[axis].first);
        key.push_back(box.axes[axis].count);
    }
    const auto found = kept_prices_.find(key);
    if (found != kept_prices_.end()) return found->second;
    if (kept_prices_.size() >= most_kept_prices) kept_prices_.clear();
    return kept_prices_.emplace(std::move(key), look_for_least_price(box)).first->second;
}

/// Minimum over all combinations of values that the price depends on. Combinations without a price are not
/// points of the space.
double BoundMachines::look_for_least_price(const space::Box& box) {
    const space::Space& space = *sweep_.space;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint64_t n = 0; n < prices(box); ++n) {
        std::uint64_t rest = n;
        for (const std::size_t axis : price_->axes) {
            const space::Run& run = box.axes[axis];
            point_.values[axis] = space.axes()[axis].values[run.first + rest % run.count];
            rest /= run.count;
        }
        for (const space::Step& step : space.steps())
            if (step.kind == space::Step::Kind::derive) static_cast<void>(space.perform(step, point_.values));
        const double price = point_.values[space.axes().size() + price_->index];
        if (price < least) least = price;
    }
    return least;
}

double BoundMachines::value_of(std::size_t axis, const space::Run& run, Aim aim) const {
    const space::AxisValues& values = sweep_.space->axes()[axis].values;
    double low = values[run.first];
    double high = low;
    for (std::uint64_t i = run.first + 1; i < run.first + run.count; ++i) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
    }
    if (roles_[axis] == BoundRole::most) return aim == Aim::fast ? high : low;
    return roles_[axis] == BoundRole::sparing && aim == Aim::cheap ? high : low;
}

bool BoundMachines::is_capacity(std::size_t axis, std::string_view path) const {
    return roles_[axis] == BoundRole::most && sweep_.space->axes()[axis].info.path == path;
}

space::Box BoundMachines::with_room(const space::Box& box, Bytes device, Bytes host) const {
    space::Box left = box;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        const bool of_device = is_capacity(i, device_capacity);
        if (!of_device && !is_capacity(i, host_capacity)) continue;
        const space::AxisValues& values = sweep_.space->axes()[i].values;
        const Bytes need = of_device ? device : host;
        space::Run& run = left.axes[i];
        const auto is_small = [&](std::uint64_t at) { return Bytes{values[at]} < need; };
        while (run.count > 1 && is_small(run.first)) run = {run.first + 1, run.count - 1};
        while (run.count > 1 && is_small(run.first + run.count - 1)) --run.count;
    }
    return left;
}

std::vector<std::uint64_t> BoundMachines::fastest(const space::Box& box) const {
    std::vector<std::uint64_t> digits;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        const space::AxisValues& values = sweep_.space->axes()[i].values;
        std::uint64_t digit = box.axes[i].first;
        const bool is_room = is_capacity(i, device_capacity) || is_capacity(i, host_capacity);
        const double best = value_of(i, box.axes[i], is_room ? Aim::cheap : Aim::fast);
        while (is_ordered(roles_[i]) && values[digit] != best) ++digit;
        digits.push_back(digit);
    }
    return digits;
}

/// Derived fields are computed as far as possible: the machine need not be a point of the space.
const study::Scenario& BoundMachines::bind(const space::Box& box, std::uint64_t combination, Aim aim) {
    const space::Space& space = *sweep_.space;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        const space::Run& run = box.axes[i];
        if (roles_[i] == BoundRole::network) {
            point_.values[i] = space.axes()[i].values[run.first + combination % run.count];
            combination /= run.count;
        } else {
            point_.values[i] = value_of(i, run, aim);
        }
    }
    for (const space::Step& step : space.steps())
        if (step.kind != space::Step::Kind::require) static_cast<void>(space.perform(step, point_.values));
    binder_.bind(point_);
    return binder_.scenario();
}

const study::Scenario& BoundMachines::scenario(const space::Box& box) {
    return bind(box, 0, Aim::fast);
}

BoundMachine BoundMachines::make(const space::Box& box) {
    BoundMachine result;
    std::vector<std::unique_ptr<model::NetworkModel>> networks;
    for (std::uint64_t i = 0; i < combinations(box); ++i) {
        const study::Scenario& fast = bind(box, i, Aim::fast);
        hardware::validate(fast.system);
        result.fast.push_back(fast.system);
        networks.push_back(netsim::network_models().find(fast.fidelity.network)(fast.system.cluster.network));
        result.cheap.push_back(bind(box, i, Aim::cheap).system);
    }
    if (price_ != nullptr) {
        const DollarsPerSecond least{least_price(box)};
        for (hardware::SystemSpec& cheap : result.cheap) cheap.cluster.device.price = least;
    }
    constexpr Seconds no_launch{};
    const study::Scenario& bound = binder_.scenario();
    // How many devices wait for each other in inference depends on the layout: at least one.
    const std::int64_t in_step = graph::is_inference(bound.workload.mode) ? 1 : devices_in_step(bound);
    result.machine.serial = ++serial_;
    result.machine.compute = model::compute_models().find(bound.fidelity.compute)(
        hardware::slowest_of(result.fast.front().cluster.device,
                             {in_step, fewest_domains(result.fast, in_step)}),
        no_launch);
    result.machine.network = std::make_unique<LeastNetwork>(std::move(networks));
    return result;
}

const BoundMachine& BoundMachines::find(const space::Box& box) {
    std::vector<std::uint64_t> key;
    for (std::size_t i = 0; i < is_system_.size(); ++i) {
        if (!is_system_[i]) continue;
        key.push_back(box.axes[i].first);
        key.push_back(box.axes[i].count);
    }
    const auto found = kept_.find(key);
    if (found != kept_.end()) return *found->second;
    auto made = std::make_unique<BoundMachine>(make(box));
    kept_systems_ += made->fast.size();
    if (kept_systems_ > most_systems) {
        kept_.clear();
        kept_systems_ = made->fast.size();
    }
    return *kept_.emplace(std::move(key), std::move(made)).first->second;
}

}  // namespace dse::eval
