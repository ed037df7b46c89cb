#include "eval/check_workloads.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/hash.hpp"
#include "dse/eval/frontend_of.hpp"
#include "dse/ir/readers/source.hpp"
#include "dse/serving/trace_reader.hpp"
#include "dse/study/named_files.hpp"

namespace dse::eval {
namespace {

using ValuePlace = frontend::IrFrontend::Place;

/// \param key  of the workload
ValuePlace place_in(const study::Draft& draft, std::string_view key) {
    study::Place place = study::place_of_values(draft, fmt::format("workload.{}", key));
    return {std::move(place.where), std::move(place.path)};
}

void check_models(study::Draft& draft, frontend::TemplateFrontend& frontend, study::WorkloadFacts& facts) {
    const std::vector<std::string> names = study::model_names(draft.sweep);
    for (const std::string& name : names) {
        if (!name.empty()) frontend.check_model(name, place_in(draft, "model").where, draft.diagnostics);
    }
    if (!draft.diagnostics.ok()) return;
    for (const std::string& name : names) {
        if (!name.empty())
            facts.models.push_back({name, frontend.works_on_sequences(name), frontend.drafts(name),
                                    frontend.positions(name), frontend.context(name),
                                    frontend.has_shared_expert(name), frontend.has_experts(name)});
    }
}

/// Names of tensors, and a mode or attention that the model does not have: points would all say the same.
void check_uses(study::Draft& draft, frontend::TemplateFrontend& frontend) {
    const study::Sweep& sweep = draft.sweep;
    const graph::WorkloadSpec& workload = sweep.base.workload;
    if (!draft.diagnostics.ok() || workload.model.empty() || !workload.ir.empty() ||
        !workload.synthetic.empty())
        return;
    for (const char* field :
         {"model", "mode", "recompute_tensors", "adapter.rank", "adapter.targets", "adapter.trained"}) {
        if (study::is_varied(sweep, std::string{"workload."} + field)) return;
    }
    const std::string reason = frontend.misfit(workload);
    if (reason.empty()) return;
    const bool is_of_attention = reason.starts_with("attention: ");
    if (is_of_attention &&
        (study::is_varied(sweep, "workload.attention") || study::is_varied(sweep, "workload.stack")))
        return;
    std::string_view text = reason;
    const char* at = "model";
    for (const char* field : {"adapter.targets", "adapter.trained", "recompute_tensors", "attention"}) {
        const std::string start = std::string{field} + ": ";
        if (!text.starts_with(start)) continue;
        at = field;
        text.remove_prefix(start.size());
    }
    const ValuePlace place = place_in(draft, at);
    draft.diagnostics.error(place.where, place.path, std::string{text});
}

void check_programs(study::Draft& draft, frontend::IrFrontend& frontend, study::WorkloadFacts& facts) {
    const std::vector<std::string> costs = study::foreign_cost_names(draft.sweep);
    for (const std::string& file : costs) {
        if (!file.empty()) frontend.check_costs(file, place_in(draft, "foreign_costs"), draft.diagnostics);
    }
    for (const std::string& file : study::program_names(draft.sweep)) {
        if (file.empty()) continue;
        graph::WorkloadSpec checked = draft.sweep.base.workload;
        checked.ir = file;
        checked.foreign_costs = costs.front();
        if (const auto found = frontend.check(checked, costs, place_in(draft, "ir"), draft.diagnostics))
            facts.programs.push_back({file, found->devices, found->precision});
    }
}

void check_families(study::Draft& draft, frontend::SyntheticFrontend& frontend, study::WorkloadFacts& facts) {
    for (const std::string& file : study::family_names(draft.sweep)) {
        if (file.empty()) continue;
        try {
            frontend.check(file);
            facts.digests.emplace_back(file, to_string(digest(ir::Source::file(frontend.find(file)).text())));
        } catch (const InputError& error) {
            const ValuePlace place = place_in(draft, "synthetic");
            draft.diagnostics.error(place.where, place.path, error.what());
        }
    }
}

/// Adds the digest of the file of a program or a table of foreign costs.
void add_digest(const std::string& name, const frontend::IrFrontend& frontend, study::WorkloadFacts& facts) {
    if (name.empty()) return;
    try {
        facts.digests.emplace_back(name, to_string(digest(ir::Source::file(frontend.find(name)).text())));
    } catch (const InputError&) {
        // Reported when the file was checked.
    }
}

/// Checks traces of requests, and adds the digests of their contents.
void check_traces(study::Draft& draft, study::WorkloadFacts& facts) {
    for (const std::string& name : study::trace_names(draft.sweep)) {
        if (name.empty()) continue;
        const std::string path = (std::filesystem::path{folder_of(draft.sweep)} / name).string();
        try {
            const serving::CheckedTrace trace =
                serving::check_trace(path, draft.sweep.base.workload.traffic.most_requests);
            facts.digests.emplace_back(name, to_string(trace.text));
            facts.longest_request = std::max(facts.longest_request, trace.longest_request);
        } catch (const InputError& error) {
            const ValuePlace place = place_in(draft, "traffic.trace");
            draft.diagnostics.error(place.where, place.path, error.what());
        }
    }
}

}  // namespace

study::WorkloadFacts check_workloads(study::Draft& draft) {
    const std::unique_ptr<frontend::WorkloadFrontend> frontend = frontend_of(draft.sweep);
    study::WorkloadFacts facts;
    check_models(draft, frontend->models(), facts);
    check_uses(draft, frontend->models());
    check_programs(draft, frontend->programs(), facts);
    check_families(draft, frontend->samples(), facts);
    check_traces(draft, facts);
    for (const std::string& name : study::program_names(draft.sweep))
        add_digest(name, frontend->programs(), facts);
    for (const std::string& name : study::foreign_cost_names(draft.sweep))
        add_digest(name, frontend->programs(), facts);
    return facts;
}

}  // namespace dse::eval
