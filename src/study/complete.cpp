#include "dse/study/complete.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/study/named_files.hpp"
#include "study/axis_range.hpp"
#include "study/serving_checks.hpp"
#include "study/sweep_facts.hpp"
#include "study/sweep_notes.hpp"

namespace dse::study {
namespace {

using config::Diagnostics;

/// If all points have the same model, checks that a sequence length is given exactly if the model has
/// sequences.
void check_sequence(Draft& draft, const WorkloadFacts& facts) {
    const Sweep& sweep = draft.sweep;
    if (!draft.diagnostics.ok() || is_varied(sweep, "workload.sequence") ||
        is_varied(sweep, "workload.model"))
        return;
    // Requests have lengths of their own.
    const bool serves = sweep.base.workload.mode == graph::Mode::serving;
    if (serves && !is_varied(sweep, "workload.mode")) return;
    const bool stated = sweep.base.workload.sequence > 0;
    const std::string& model = sweep.base.workload.model;
    const auto known = std::find_if(facts.models.begin(), facts.models.end(),
                                    [&](const WorkloadFacts::Model& other) { return other.name == model; });
    if (known == facts.models.end() || stated == known->works_on_sequences) return;
    draft.diagnostics.error(
        place_of(draft.root, "workload.sequence"), "workload.sequence",
        stated ? fmt::format("a sample of model '{}' is not a sequence (leave it out)", model)
               : fmt::format("missing (a sample of model '{}' is a sequence)", model));
}

/// Tokens of the longest sequence in any point: a prompt with its answer, all that a conversation has said,
/// or a training sample.
double longest_sequence(const Sweep& sweep, const WorkloadFacts& facts) {
    const graph::WorkloadSpec& workload = sweep.base.workload;
    if (facts.longest_request > 0) return static_cast<double>(facts.longest_request);
    const graph::Traffic& traffic = workload.traffic;
    if (!traffic.classes.empty()) {
        std::int64_t longest = 0;
        for (const graph::RequestClass& one : traffic.classes)
            longest = std::max(longest, one.prefix + one.turns * (one.prompt + one.output));
        return static_cast<double>(longest);
    }
    if (workload.mode == graph::Mode::serving)
        return largest(sweep, "workload.traffic.prefix", traffic.prefix) +
               largest(sweep, "workload.traffic.turns", traffic.turns) *
                   (largest(sweep, "workload.traffic.prompt", traffic.prompt) +
                    largest(sweep, "workload.traffic.output", traffic.output));
    const double tokens = largest(sweep, "workload.sequence", workload.sequence);
    if (!is_inference(workload.mode)) return tokens;
    return std::max(tokens + largest(sweep, "workload.output", workload.serving.output),
                    largest(sweep, "workload.context", workload.serving.context));
}

/// What limits the length of a model's sequences, in the words of a warning.
struct LengthLimit {
    std::int64_t tokens{0};  ///< 0: nothing does
    std::string text;
    std::string_view excess;    ///< what longer sequences do
    std::string_view as_field;  ///< of the model's file
};

/// A model's table of positions, or else the context that its weights were published for.
LengthLimit length_limit(const WorkloadFacts::Model& model) {
    if (model.positions > 0)
        return {model.positions, fmt::format("{} positions", model.positions), "need more",
                "them as positions"};
    return {model.context, fmt::format("a context of {} tokens", model.context),
            "are longer than its weights were published for", "it as context"};
}

/// The field that states the longest sequence.
std::string_view field_of_lengths(const graph::WorkloadSpec& workload, const WorkloadFacts& facts) {
    if (facts.longest_request > 0) return "workload.traffic.trace";
    if (!workload.traffic.classes.empty()) return "workload.traffic.classes";
    if (workload.mode != graph::Mode::serving) return "workload.sequence";
    return workload.traffic.continue_others() ? "workload.traffic.turns" : "workload.traffic.prompt";
}

/// Sequences longer than a model's limit: that is meant where a model is trained for longer ones, and a slip
/// otherwise.
void note_lengths(Draft& draft, const WorkloadFacts& facts) {
    const Sweep& sweep = draft.sweep;
    if (!draft.diagnostics.ok() || !sweep.has_scenario) return;
    const graph::WorkloadSpec& workload = sweep.base.workload;
    const bool serves = workload.mode == graph::Mode::serving;
    const double tokens = longest_sequence(sweep, facts);
    for (const WorkloadFacts::Model& model : facts.models) {
        const LengthLimit limit = length_limit(model);
        if (limit.tokens == 0 || tokens <= static_cast<double>(limit.tokens)) continue;
        warn_of_values(
            draft, field_of_lengths(workload, facts),
            fmt::format("model '{}' has {}, and {} of {:.0f} tokens {} (its file states {})", model.name,
                        limit.text, serves ? "requests" : "sequences", tokens, limit.excess, limit.as_field));
    }
}

/// `fused_shared_expert` of models none of which has one. What a stack's file says is for other models, too.
void note_shared_expert(Draft& draft, const WorkloadFacts& facts) {
    const Sweep& sweep = draft.sweep;
    constexpr const char* path = "workload.fused_shared_expert";
    if (!draft.diagnostics.ok() || facts.models.empty() ||
        std::ranges::any_of(facts.models, &WorkloadFacts::Model::has_shared_expert))
        return;
    const bool is_meant =
        is_varied(sweep, path) || (is_stated(sweep, path) && sweep.base.workload.stack.fused_shared_expert);
    // In training, no model has a use of it: that is noted for all fields of this kind.
    if (!is_meant || (!is_inference(sweep.base.workload.mode) && !is_varied(sweep, "workload.mode"))) return;
    warn_of_values(draft, path,
                   facts.models.size() == 1 ? fmt::format("has no effect: model '{}' has no shared expert",
                                                          facts.models.front().name)
                                            : "has no effect: none of the models has a shared expert");
}

/// Fields that say how experts are chosen and computed, of models none of which has any. What a stack's file
/// says is for other models, too.
void note_experts(Draft& draft, const WorkloadFacts& facts) {
    const Sweep& sweep = draft.sweep;
    if (!draft.diagnostics.ok() || facts.models.empty() ||
        std::ranges::any_of(facts.models, &WorkloadFacts::Model::has_experts))
        return;
    constexpr std::array<std::string_view, 19> names{
        "imbalance",     "routing_skew",       "routing_seed",         "capacity_factor",   "expert_kernels",
        "permutation",   "eager_expert_rate",  "expert_training_rate", "expert_rate",       "expert_tile",
        "fused_experts", "prompt_expert_rate", "few_expert_rows",      "least_expert_tile", "tile_reading",
        "router_graphs", "expert_tile_margin", "expert_launch_factor", "permutation_rate"};
    Scenario stated = sweep.base;
    Scenario usual;
    config::FieldIndex fields(sweep.library);
    config::FieldIndex defaults(sweep.library);
    fields.add("", stated);
    defaults.add("", usual);
    for (const std::string_view name : names) {
        const std::string path = fmt::format("workload.{}", name);
        const bool is_meant =
            is_stated(sweep, path) && fields.find(path)->read() != defaults.find(path)->read();
        if (!is_meant && !is_varied(sweep, path)) continue;
        warn_of_values(draft, path,
                       facts.models.size() == 1 ? fmt::format("has no effect: model '{}' has no experts",
                                                              facts.models.front().name)
                                                : "has no effect: none of the models has experts");
    }
}

/// Whether a workload field applies to programs, whose parallel layout is fixed.
bool concerns_programs(std::string_view path) {
    constexpr std::array<std::string_view, 11> fields{"workload.synthetic",
                                                      "workload.seed",
                                                      "workload.ir",
                                                      "workload.foreign_costs",
                                                      "workload.queues",
                                                      "workload.global_batch",
                                                      "workload.sequence",
                                                      "workload.precision",
                                                      "workload.cuda_graphs",
                                                      "workload.launch_factor",
                                                      "workload.allocator_overhead"};
    return !path.starts_with("workload.") || path.starts_with("workload.passes.") ||
           std::find(fields.begin(), fields.end(), path) != fields.end();
}

/// Rejects fields that have no effect on a program or a sample, because it defines them itself.
void check_program_fields(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    Diagnostics& diagnostics = draft.diagnostics;
    constexpr std::string_view reason =
        "has no effect on a compiler's program or a sample, which is laid out already (leave it out)";
    for (const std::string& path : sweep.stated) {
        // check_kind() already reported a model beside a program.
        if (concerns_programs(path) || path == "workload.model") continue;
        diagnostics.error(place_of(draft.root, path), path, std::string{reason});
    }
    if (!sweep.space) return;
    for (const space::Axis& axis : sweep.space->axes()) {
        if (!concerns_programs(axis.info.path))
            diagnostics.error(axis.where, "axes." + axis.name, std::string{reason});
    }
}

/// The requests of mode serving have a seed of their own.
void check_seed(Draft& draft) {
    const space::Axis* axis = axis_of(draft.sweep, "workload.seed");
    if (axis == nullptr || draft.sweep.base.workload.mode != graph::Mode::serving) return;
    draft.diagnostics.error(axis->where, "axes." + axis->name,
                            "is the seed of synthetic workloads; that of requests is 'traffic.seed'");
}

/// If all points have the same number of devices, checks that each program is for that number.
void check_devices(Draft& draft, const WorkloadFacts& facts) {
    constexpr const char* field = "system.devices";
    const std::int64_t devices = draft.sweep.base.system.devices;
    if (is_varied(draft.sweep, field)) return;
    for (const WorkloadFacts::Program& program : facts.programs) {
        if (program.devices == devices) continue;
        draft.diagnostics.error(
            place_of(draft.root, field), field,
            fmt::format("is {}, and '{}' is a program for {}", devices, program.name, program.devices));
    }
}

/// If a sweep does not specify the format that MFU refers to, it is the one in which most of the programs'
/// products run, provided it is the same for all programs.
void set_precision(Sweep& sweep, const WorkloadFacts& facts) {
    constexpr const char* field = "workload.precision";
    if (is_stated(sweep, field) || is_varied(sweep, field) || facts.programs.empty()) return;
    const std::optional<graph::Precision> first = facts.programs.front().precision;
    const bool same = std::all_of(facts.programs.begin(), facts.programs.end(),
                                  [&](const WorkloadFacts::Program& p) { return p.precision == first; });
    if (first && same) sweep.base.workload.stack.precision = *first;
}

bool is_laid_out(const Sweep& sweep) {
    const auto named = [](const std::vector<std::string>& names) {
        return std::any_of(names.begin(), names.end(), [](const std::string& name) { return !name.empty(); });
    };
    return named(program_names(sweep)) || named(family_names(sweep));
}

}  // namespace

Sweep complete(Draft draft, const WorkloadFacts& facts) {
    Sweep& sweep = draft.sweep;
    if (is_laid_out(sweep)) {
        check_devices(draft, facts);
        set_precision(sweep, facts);
        check_program_fields(draft);
    } else {
        check_sequence(draft, facts);
        check_seed(draft);
        check_serving(draft, facts);
        note_shared_expert(draft, facts);
        note_experts(draft, facts);
        note_lengths(draft, facts);
    }
    add_notes(draft);
    if (sweep.space) sweep.facts = facts_of(sweep, facts, draft.diagnostics);
    draft.diagnostics.throw_if_any();
    sweep.warnings = draft.diagnostics.all();
    return std::move(draft.sweep);
}

}  // namespace dse::study
