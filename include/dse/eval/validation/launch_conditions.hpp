#pragma once

#include <cstdint>
#include <string>

#include "dse/config/range.hpp"

namespace dse::eval {

/// Deployments that the settings of a published launch script or recipe belong to; an empty string and 0
/// match any.
struct LaunchConditions {
    std::string source;  ///< prefix of the kind of measurement
    std::string framework;
    std::string gpu;
    std::string model;  ///< file of workloads/models
    std::string quantization;
    std::int64_t prompt{0};  ///< tokens
    std::int64_t output{0};  ///< tokens
};

template <class Visitor>
void describe(Visitor& v, LaunchConditions& launch) {
    v.required("source", launch.source, "what the kind of measurement begins with");
    v.required("framework", launch.framework, "in the table");
    v.optional("gpu", launch.gpu, "in the table");
    v.optional("model", launch.model, "file of workloads/models");
    v.optional("quantization", launch.quantization, "in the table");
    v.optional("prompt", launch.prompt, config::not_negative, "tokens");
    v.optional("output", launch.output, config::not_negative, "tokens");
}

}  // namespace dse::eval
