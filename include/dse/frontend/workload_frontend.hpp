#pragma once

#include <string>

#include "dse/frontend/ir_frontend.hpp"
#include "dse/frontend/synthetic_frontend.hpp"
#include "dse/frontend/template/template_frontend.hpp"

namespace dse::frontend {

/// Frontend for all kinds of workloads: models from templates, programs from files, samples from families.
class WorkloadFrontend final : public Frontend {
  public:
    /// \param beside  folder that is searched for programs and families first (the sweep's); empty: none
    explicit WorkloadFrontend(const config::Library& library, const std::string& beside = "")
        : models_{library}, programs_{library, beside}, samples_{library, beside} {}

    const graph::Graph& build(const graph::WorkloadSpec& workload,
                              const graph::ResolvedLayout& layout) override {
        return chosen(workload).build(workload, layout);
    }
    void forget() override {
        models_.forget();
        programs_.forget();
        samples_.forget();
    }
    double parameter_count(const graph::WorkloadSpec& workload) override {
        return chosen(workload).parameter_count(workload);
    }
    double active_parameter_count(const graph::WorkloadSpec& workload) override {
        return chosen(workload).active_parameter_count(workload);
    }

    [[nodiscard]] TemplateFrontend& models() { return models_; }
    [[nodiscard]] IrFrontend& programs() { return programs_; }
    [[nodiscard]] SyntheticFrontend& samples() { return samples_; }

  private:
    Frontend& chosen(const graph::WorkloadSpec& workload) {
        if (!workload.synthetic.empty()) return samples_;
        return workload.ir.empty() ? static_cast<Frontend&>(models_) : programs_;
    }

    TemplateFrontend models_;
    IrFrontend programs_;
    SyntheticFrontend samples_;
};

}  // namespace dse::frontend
