#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/study/scenario.hpp"

namespace dse::app {

/// Whose command line.
enum class Framework : std::uint8_t { megatron, torchtitan, maxtext, vllm };

/// How a framework is told to run a point: docs/launch-flags.md has the source of every flag.
struct FrameworkFlags {
    std::vector<std::string> flags;
    std::vector<std::string>
        missing;  ///< what the point has and the framework has no flag for, one sentence each
};

/// \throws InputError where the framework does not do what the point is about: vLLM trains nothing, the
/// others
///         serve nothing
FrameworkFlags framework_flags(Framework framework, const study::Scenario& scenario);

}  // namespace dse::app
