#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/start/first_sweep.hpp"
#include "app/start/model_facts.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app {

// What sweeps of training and of serving that `dse init` writes have in common.

/// Number of devices, and the degrees of parallelism that divide the model.
struct SweepSizes {
    std::int64_t devices{8};
    bool is_least{false};  ///< the model needs fewer
    std::vector<std::int64_t> tp;
    std::vector<std::int64_t> pp;
    std::vector<std::int64_t> ep;
};

/// \param bytes_each  of memory for a parameter and what comes with it
/// \param least       number of devices
/// \param wanted      number of devices; 0: as many as the model needs
SweepSizes sizes_of(const ModelFacts& model, const hardware::ClusterSpec& cluster, double bytes_each,
                    std::int64_t least, std::int64_t wanted);

/// The next power of two. \param at_least  1 if below
std::int64_t power_of_two(double at_least);

/// So many tokens, or a power of two that a sequence of the model may have.
std::int64_t tokens_of(const ModelFacts& model, std::int64_t wanted);

/// "[1, 2, 4]"
std::string list_of(const std::vector<std::int64_t>& values);

/// The comment at the beginning, and the name.
std::string heading_of(const FirstSweep& sweep, const ModelFacts& model, const hardware::ClusterSpec& cluster,
                       const SweepSizes& sizes);

/// The beginning of section workload: its model and mode.
std::string workload_of(const FirstSweep& sweep);

/// The beginning of section axes.
inline constexpr std::string_view axes_heading =
    "axes:  # every combination is a point; any field of `dse list fields` can be one\n";

/// Line that sets the precision; empty if the device supports bf16.
std::string precision_of(const hardware::ClusterSpec& cluster);

std::string system_of(const FirstSweep& sweep, const SweepSizes& sizes);

}  // namespace dse::app
