#pragma once

#include <memory>
#include <string>

#include "dse/config/library.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/frontend/model_file.hpp"

namespace dse::frontend {

/// Workloads from symbolic templates: a model file (workloads/models) gives the numbers, its template
/// (workloads/templates) the forward pass; the rest is derived. Structure is built once for each choice of
/// options; a point only evaluates its numbers.
class TemplateFrontend final : public Frontend {
  public:
    explicit TemplateFrontend(config::Library library);
    ~TemplateFrontend() override;

    const graph::Graph& build(const graph::WorkloadSpec& workload,
                              const graph::ResolvedLayout& layout) override;
    void forget() override;
    double parameter_count(const graph::WorkloadSpec& workload) override;
    double active_parameter_count(const graph::WorkloadSpec& workload) override;

    /// Adds a model that stands in no file, under its own name.
    /// \throws InputError when its template is not there or does not fit
    void define(ModelFile model);

    /// Whether a sample of a model is a sequence, so that a workload says of how many tokens.
    bool works_on_sequences(const std::string& model);

    /// Loads a model and its template and checks both, with every option that conditions may ask.
    /// \param where  of the name, for messages
    void check_model(const std::string& model, const config::Location& where,
                     config::Diagnostics& diagnostics);

  private:
    class Model;
    Model& model(const std::string& name);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::frontend
