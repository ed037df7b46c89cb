#pragma once

#include <cstdint>
#include <string>

#include "dse/config/library.hpp"
#include "dse/frontend/model_file.hpp"

namespace dse::app {

/// What decides how a model can be laid out.
struct ModelFacts {
    frontend::ModelFile file;
    double parameters{0.0};
    bool sequences{true};    ///< whether a sample is a sequence of tokens
    std::int64_t layers{1};  ///< 1 where it has none
    std::int64_t heads{
        1};  ///< that tensor parallelism divides: of keys, or of queries where all have their own
    std::int64_t experts{0};  ///< 0 of a dense model
};

/// \param model  the name of a file of workloads/models, or a path
/// \throws InputError with every error of the model or its template
ModelFacts model_facts(const config::Library& library, const std::string& model);

/// A symbol of a model; `otherwise` where it has none of this name.
double symbol_of(const frontend::ModelFile& model, const std::string& name, double otherwise);

}  // namespace dse::app
