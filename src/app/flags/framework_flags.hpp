#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/study/scenario.hpp"

namespace dse::app {

/// Framework whose command line is generated.
enum class Framework : std::uint8_t { megatron, torchtitan, maxtext, vllm, sglang, trtllm };
/// Whether it runs inference; the others train.
bool serves(Framework framework);

/// Flags with which a framework runs a point. docs/launch-flags.md lists the source of every flag.
struct FrameworkFlags {
    std::string role;  ///< "prefill" or "decode": of a worker of this pool; empty: there are no pools
    std::vector<std::string> flags;
    std::vector<std::string> configuration;  ///< lines of the YAML file that a flag names; often none
    /// Properties of the point for which the framework has no flag, one sentence each.
    std::vector<std::string> missing;
};

/// Number of data-parallel ranks; if the point does not set it, it follows from the number of devices.
std::int64_t data_parallel(const study::Scenario& scenario);

/// \return one command line or, if the point has two pools, one for the workers of each
/// \throws InputError if the framework does not support the mode of the point: those that serve do not train
std::vector<FrameworkFlags> framework_flags(Framework framework, const study::Scenario& scenario);

}  // namespace dse::app
