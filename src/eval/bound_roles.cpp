#include "eval/bound_roles.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "dse/model/registry.hpp"
#include "dse/netsim/registry.hpp"

namespace dse::eval {
namespace {

constexpr std::string_view cluster = "system.cluster.";
constexpr std::string_view network = "system.cluster.network.";

/// Fields with which a time, power or price grows, and (below) those by which times are divided. Times of
/// operators and messages are sums, quotients, maxima and p-norms of these fields, and so monotonic in each.
constexpr std::array least{
    std::string_view{"device.price"},
    std::string_view{"device.power.tdp"},
    std::string_view{"device.power.idle"},
    std::string_view{"device.power.active"},
    std::string_view{"device.power.per_flop"},
    std::string_view{"device.power.per_flop_8bit"},
    std::string_view{"device.power.per_flop_4bit"},
    std::string_view{"device.power.per_memory_byte"},
    std::string_view{"device.power.per_link_byte"},
    std::string_view{"host.launch_time"},
    std::string_view{"host.power"},
    std::string_view{"facility.pue"},
    std::string_view{"facility.fabric_power"},
    std::string_view{"facility.electricity_price"},
    std::string_view{"network.prices.nic"},
    std::string_view{"network.prices.port"},
    std::string_view{"network.prices.optics"},
    std::string_view{"network.prices.scale_up"},
    std::string_view{"network.prices.scale_up_doubling"},
};
constexpr std::array most{
    std::string_view{"device.memory.capacity"},
    std::string_view{"host.bandwidth"},
    std::string_view{"host.capacity"},
    std::string_view{"host.memory_bandwidth"},
};
/// With compute models that are monotonic (model::ComputeFactory).
constexpr std::array least_of_compute{std::string_view{"device.kernel_latency"}};
constexpr std::array most_of_compute{
    std::string_view{"device.memory.bandwidth"},
    std::string_view{"device.memory.efficiency"},
    std::string_view{"device.peak."},
    std::string_view{"device.matmul.sustained."},
    std::string_view{"device.matmul.peak_share"},
    std::string_view{"device.matmul.in_training"},
    std::string_view{"device.attention.efficiency"},
};
/// With network models that are monotonic (netsim::NetworkFactory).
constexpr std::array least_of_network{
    std::string_view{"network.scale_up.latency"},
    std::string_view{"network.scale_out.latency"},
    std::string_view{"network.collective.launch"},
    std::string_view{"network.collective.message_launch"},
};
/// More oversubscription needs fewer switch ports, which is cheaper.
constexpr std::string_view sparing_of_network = "network.scale_out.oversubscription";
constexpr std::array most_of_network{
    std::string_view{"network.scale_up.bandwidth"},
    std::string_view{"network.scale_up.efficiency"},
    std::string_view{"network.scale_up.reduction_efficiency"},
    std::string_view{"network.scale_out.bandwidth"},
    std::string_view{"network.scale_out.efficiency"},
    std::string_view{"network.collective.phase_overlap"},
};

/// A name that ends with a dot matches all fields of its section.
template <class Names>
bool has(const Names& names, std::string_view field) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        return name.ends_with('.') ? field.starts_with(name) : field == name;
    });
}

bool all_are_positive(const space::Axis& axis) {
    if (!axis.labels.empty() || axis.info.type == config::FieldType::flag) return false;
    for (std::uint64_t i = 0; i < axis.values.count(); ++i)
        if (!(axis.values[i] > 0.0)) return false;
    return true;
}

bool varies_fidelity(const space::Space& space) {
    const auto is_fidelity = [](const auto& value) { return value.info.path.starts_with("fidelity."); };
    return std::ranges::any_of(space.axes(), is_fidelity) ||
           std::ranges::any_of(space.derived(), is_fidelity);
}

/// Axes whose values determine other fields, or whether other axes are active.
std::vector<bool> entangled(const space::Space& space) {
    std::vector<bool> result(space.axes().size());
    for (const space::Step& step : space.steps()) {
        const bool derives = step.kind == space::Step::Kind::derive;
        const std::string path = derives ? space.derived()[step.index].info.path : "";
        const bool decides =
            step.kind == space::Step::Kind::activate || (derives && !path.empty() && path != derived_price);
        if (!decides) continue;
        for (const std::size_t axis : step.axes) result[axis] = true;
    }
    return result;
}

}  // namespace

Monotonic monotonic(const study::FidelitySpec& fidelity) {
    return {model::compute_models().find(fidelity.compute).is_monotonic,
            netsim::network_models().find(fidelity.network).is_monotonic};
}

BoundRole bound_role(std::string_view path, const Monotonic& models) {
    if (!path.starts_with(cluster)) return BoundRole::structure;
    const std::string_view field = path.substr(cluster.size());
    if (has(least, field) || (models.compute && has(least_of_compute, field)) ||
        (models.network && has(least_of_network, field)))
        return BoundRole::least;
    if (has(most, field) || (models.compute && has(most_of_compute, field)) ||
        (models.network && has(most_of_network, field)))
        return BoundRole::most;
    if (models.network && field == sparing_of_network) return BoundRole::sparing;
    return path.starts_with(network) ? BoundRole::network : BoundRole::structure;
}

bool is_ordered(BoundRole role) {
    return role == BoundRole::least || role == BoundRole::sparing || role == BoundRole::most;
}

std::vector<BoundRole> bound_roles(const study::Sweep& sweep) {
    const space::Space& space = *sweep.space;
    const Monotonic models = varies_fidelity(space) ? Monotonic{} : monotonic(sweep.base.fidelity);
    const std::vector<bool> is_entangled = entangled(space);
    std::vector<BoundRole> roles;
    for (std::size_t i = 0; i < space.axes().size(); ++i) {
        const space::Axis& axis = space.axes()[i];
        BoundRole role = bound_role(axis.info.path, models);
        if (is_entangled[i] || (is_ordered(role) && !all_are_positive(axis))) role = BoundRole::structure;
        roles.push_back(role);
    }
    return roles;
}

}  // namespace dse::eval
