#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/study/scenario.hpp"

namespace dse::app {

/// Framework whose command line is generated.
enum class Framework : std::uint8_t { megatron, torchtitan, maxtext, vllm };

/// Flags with which a framework runs a point. docs/launch-flags.md lists the source of every flag.
struct FrameworkFlags {
    std::vector<std::string> flags;
    /// Properties of the point for which the framework has no flag, one sentence each.
    std::vector<std::string> missing;
};

/// \throws InputError if the framework does not support the mode of the point: vLLM does not train, the
///         others do not serve
FrameworkFlags framework_flags(Framework framework, const study::Scenario& scenario);

}  // namespace dse::app
