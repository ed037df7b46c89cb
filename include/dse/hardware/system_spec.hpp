#pragma once

#include <cstdint>

#include "dse/hardware/cluster_spec.hpp"
#include "dse/hardware/straggler_spec.hpp"

namespace dse::hardware {

/// The machine of a point: so many devices of a cluster.
struct SystemSpec {
    ClusterSpec cluster;
    std::int64_t devices{1};
    StragglerSpec stragglers;
};

Problems problems_of(const SystemSpec& system);

/// Checks every field, for values that come from axes and not from a file.
/// \throws ModelError that names the fields
void validate(const SystemSpec& system);

template <class Visitor>
void describe(Visitor& v, SystemSpec& system) {
    v.from_library("cluster", system.cluster, "hardware/clusters", "the kind of machine");
    v.required("devices", system.devices, "devices of the job");
    v.optional_section("stragglers", system.stragglers, "devices that are slower than the rest");
    check_after_reading(v, system);
}

}  // namespace dse::hardware
