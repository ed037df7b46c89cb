#pragma once

#include <cstdint>
#include <string>

#include "dse/config/library.hpp"
#include "dse/frontend/model_file.hpp"

namespace dse::app {

/// Properties that determine the possible layouts of a model.
struct ModelFacts {
    frontend::ModelFile file;
    double parameters{0.0};
    bool sequences{true};      ///< whether a sample is a sequence of tokens
    std::string no_serving{};  ///< why it cannot be served; empty: it can
    std::int64_t layers{1};    ///< 1 if it has no layers
    /// Heads that tensor parallelism divides: key heads, or query heads if each has its own key head.
    std::int64_t heads{1};
    std::int64_t experts{0};  ///< 0 for a dense model
    std::int64_t longest{0};  ///< tokens of its longest sequence; 0: not known
    bool tables{false};       ///< whether it looks up rows of tables, which lie once over the devices
};

/// \param model  the name of a file in workloads/models, or a path
/// \throws InputError with all errors of the model or its template
ModelFacts model_facts(const config::Library& library, const std::string& model);

/// Value of a symbol of a model; `otherwise` if there is no such symbol.
double symbol_of(const frontend::ModelFile& model, const std::string& name, double otherwise);

}  // namespace dse::app
