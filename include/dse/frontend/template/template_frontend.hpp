#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "dse/config/library.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/frontend/model_file.hpp"

namespace dse::frontend {

/// Workloads from symbolic templates: a model file (workloads/models) defines the sizes, its template
/// (workloads/templates) the forward pass; the rest is derived. The structure is built once per choice of
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

    /// Adds a model that is not in a file, under its own name.
    /// \throws InputError if its template does not exist or does not match
    void define(ModelFile model);

    /// Whether a sample of a model is a sequence, so that the workload must state its number of tokens.
    bool works_on_sequences(const std::string& model);

    /// Whether a model has heads that draft tokens (`speculative: mtp`).
    bool drafts(const std::string& model);

    /// Whether a model has an expert that every token goes through beside those that it chooses.
    bool has_shared_expert(const std::string& model);

    /// Whether a model's tokens choose among experts, or its samples ask tables of other devices.
    bool has_experts(const std::string& model);

    /// Rows of a model's table of learned positions (symbol `positions` of a block), which is as long as its
    /// longest sequence; 0 if it has none.
    std::int64_t positions(const std::string& model);

    /// The longest sequence of a model's published weights [tokens]; 0 if its file does not state it.
    std::int64_t context(const std::string& model);

    /// Why no layout of a workload is possible with its model: its mode, or a tensor that it names. Empty if
    /// some may be.
    std::string misfit(const graph::WorkloadSpec& workload);

    /// Loads a model and its template and checks both, for all options that conditions can test.
    /// \param where  location of the name, for messages
    void check_model(const std::string& model, const config::Location& where,
                     config::Diagnostics& diagnostics);

  private:
    class Model;
    Model& model(const std::string& name);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::frontend
