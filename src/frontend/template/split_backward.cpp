#include "split_backward.hpp"

#include <algorithm>
#include <array>
#include <variant>

namespace dse::frontend {
namespace {

class BackwardSplitter {
  public:
    BackwardSplitter(const PassPlan& plan, const Block& block, bool holds_casts)
        : plan_{plan}, block_{block}, memory_{memory_of(plan)} {
        find_waiting();
        if (holds_casts) hold_casts();
        in_input_.assign(plan_.versions.size(), false);
        in_weight_.assign(plan_.versions.size(), false);
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            for (const std::vector<VersionId>* versions :
                 {&plan_.steps[i].inputs, &plan_.steps[i].outputs, &plan_.steps[i].updates}) {
                for (const VersionId version : *versions) touch(version, waits_[i]);
            }
        }
    }

    std::pair<PassPlan, PassPlan> split() {
        if (std::find(waits_.begin(), waits_.end(), true) == waits_.end()) {
            PassPlan nothing = plan_;
            nothing.steps.clear();
            nothing.gradients.clear();
            nothing.entry = nothing.exit = std::nullopt;
            nothing.launches = {};
            for (std::size_t v = 0; v < plan_.versions.size(); ++v) nothing.stays.emplace_back(v);
            return {plan_, std::move(nothing)};
        }
        PassPlan input = part(false);
        PassPlan weight = part(true);
        weight.entry = weight.exit = std::nullopt;
        return {std::move(input), std::move(weight)};
    }

  private:
    /// Whether a step makes an activation again. Checkpoints do so when the first gradient arrives, and free
    /// what they made it from (Megatron-LM, core/tensor_parallel/random.py); a gather may still wait.
    [[nodiscard]] bool repeats_forward(const Step& step) const {
        return std::any_of(step.outputs.begin(), step.outputs.end(), [this](VersionId output) {
            const Version& version = plan_.versions[output.index()];
            return !version.gradient && !version.cast && !version.gathered;
        });
    }

    /// Goes through the steps from last to first: a step can be deferred if it only produces gradients of
    /// parameters, or nothing that a step which cannot be deferred reads.
    void find_waiting() {
        std::vector<bool> needed(plan_.versions.size(), false);
        const auto need = [&](VersionId version) {
            for (const VersionId part : memory_[version.index()]) needed[part.index()] = true;
        };
        if (plan_.exit) need(*plan_.exit);
        std::vector<bool> makes_gradient(plan_.steps.size(), false);
        for (const ParameterGradient& gradient : plan_.gradients) makes_gradient[gradient.step] = true;
        waits_.assign(plan_.steps.size(), false);
        for (std::size_t i = plan_.steps.size(); i-- > 0;) {
            const Step& step = plan_.steps[i];
            const auto is_needed = [&](VersionId version) {
                const std::vector<VersionId>& parts = memory_[version.index()];
                return std::any_of(parts.begin(), parts.end(),
                                   [&](VersionId part) { return bool{needed[part.index()]}; });
            };
            const bool has_use = makes_gradient[i] || !step.outputs.empty();
            waits_[i] = has_use && step.updates.empty() && !repeats_forward(step) &&
                        std::none_of(step.outputs.begin(), step.outputs.end(), is_needed);
            if (waits_[i]) continue;
            for (const VersionId version : step.inputs) need(version);
            for (const VersionId version : step.updates) need(version);
        }
    }

    /// Gradients that only matrix products of the second part still read are kept as their casts, which the
    /// first part produces anyway.
    void hold_casts() {
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            if (!is_cast_of_gradient(i)) continue;
            const VersionId whole = plan_.steps[i].inputs.front();
            const std::vector<std::size_t> readers = waiting_readers(whole);
            const auto is_product = [this](std::size_t reader) {
                const auto* compute = std::get_if<ComputeFormula>(&plan_.steps[reader].work);
                return compute != nullptr && compute->is_gemm;
            };
            if (readers.empty() || !std::all_of(readers.begin(), readers.end(), is_product)) continue;
            const Version origin = plan_.versions[whole.index()];
            const VersionId cast(plan_.versions.size());
            plan_.versions.push_back(
                {.tensor = origin.tensor, .gradient = true, .layout = origin.layout, .cast = true});
            plan_.steps[i].outputs.push_back(cast);
            for (const std::size_t reader : readers) {
                std::vector<VersionId>& inputs = plan_.steps[reader].inputs;
                std::replace(inputs.begin(), inputs.end(), whole, cast);
            }
        }
        memory_ = memory_of(plan_);
    }

    [[nodiscard]] bool is_cast_of_gradient(std::size_t i) const {
        const Step& step = plan_.steps[i];
        const bool leaves_nothing = !waits_[i] && step.outputs.empty() && step.updates.empty();
        return leaves_nothing && step.inputs.size() == 1 &&
               plan_.versions[step.inputs.front().index()].gradient;
    }

    [[nodiscard]] std::vector<std::size_t> waiting_readers(VersionId version) const {
        std::vector<std::size_t> readers;
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            const std::vector<VersionId>& inputs = plan_.steps[i].inputs;
            if (waits_[i] && std::find(inputs.begin(), inputs.end(), version) != inputs.end())
                readers.push_back(i);
        }
        return readers;
    }

    void touch(VersionId version, bool by_weight) {
        for (const VersionId part : memory_[version.index()])
            (by_weight ? in_weight_ : in_input_)[part.index()] = true;
    }

    [[nodiscard]] PassPlan part(bool weight) const {
        PassPlan part = plan_;
        part.steps.clear();
        part.gradients.clear();
        std::array<double, 2> all{};  ///< kernels: all together, experts one by one
        std::array<double, 2> own{};
        std::vector<std::size_t> position(plan_.steps.size(), no_step);
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            const auto* compute = std::get_if<ComputeFormula>(&plan_.steps[i].work);
            const double kernels = compute == nullptr ? 1.0 : compute->kernels;
            const double of_expert = compute != nullptr && compute->times ? 1.0 : 0.0;
            all[0] += kernels;
            all[1] += of_expert;
            if (waits_[i] != weight) continue;
            own[0] += kernels;
            own[1] += of_expert;
            position[i] = part.steps.size();
            part.steps.push_back(plan_.steps[i]);
        }
        part.launches.kernels *= all[0] > 0 ? own[0] / all[0] : 0;
        part.launches.of_expert *= all[1] > 0 ? own[1] / all[1] : 0;
        for (std::size_t v = 0; v < plan_.versions.size(); ++v) {
            if (!plan_.versions[v].memory.empty()) continue;  // a view
            // The second part frees the versions that it uses, the first one the rest.
            if (bool{in_weight_[v]} != weight) part.stays.emplace_back(v);
            if (in_weight_[v] && in_input_[v] && !is_state(v)) part.versions[v].gathered = false;
        }
        if (!weight) return part;
        for (ParameterGradient gradient : plan_.gradients) {
            gradient.step = position[gradient.step];
            part.gradients.push_back(gradient);
        }
        return part;
    }

    [[nodiscard]] bool is_state(std::size_t version) const {
        const TensorRole role = block_.tensor(plan_.versions[version].tensor).role;
        return role == TensorRole::parameter || role == TensorRole::input;
    }

    PassPlan plan_;
    const Block& block_;
    std::vector<std::vector<VersionId>> memory_;  ///< by version: the versions that own its memory
    std::vector<bool> waits_;                     ///< by step
    std::vector<bool> in_input_;                  ///< by version
    std::vector<bool> in_weight_;
};

}  // namespace

std::pair<PassPlan, PassPlan> split_backward(const PassPlan& backward, const Block& block, bool holds_casts) {
    return BackwardSplitter(backward, block, holds_casts).split();
}

}  // namespace dse::frontend
