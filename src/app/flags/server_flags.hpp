#pragma once

#include <vector>

#include "app/flags/framework_flags.hpp"

namespace dse::app {

/// Flags with which vLLM, SGLang or TensorRT-LLM serves a point: of one server or, if the point has pools, of
/// a prefill worker and a decode worker.
/// \pre the framework is one of these, and the point is about inference
std::vector<FrameworkFlags> server_flags(Framework framework, const study::Scenario& scenario);

}  // namespace dse::app
