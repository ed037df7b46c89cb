#pragma once

#include <span>
#include <string_view>

#include "app/start/model_facts.hpp"
#include "dse/hardware/device/device_spec.hpp"

namespace dse::app {

/// Software that trains models of a kind on a device, with steps of both in workloads/measured/steps.csv: its
/// predictions have narrow error bars.
struct UsualStack {
    std::string_view device;  ///< DeviceSpec::name
    bool experts{false};      ///< mixtures of experts, or dense decoders
    std::string_view stack;   ///< file of workloads/stacks
    std::string_view others;  ///< files of two others, separated by a comma
};

/// At most one for a device and kind of model that have measured steps.
std::span<const UsualStack> usual_stacks();

/// The one for a model on a device; nullptr if no steps of such models were measured there.
const UsualStack* usual_stack(const ModelFacts& model, const hardware::DeviceSpec& device);

}  // namespace dse::app
