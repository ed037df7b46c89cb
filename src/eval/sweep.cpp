#include "dse/eval/sweep.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "dse/config/field_index.hpp"
#include "dse/config/reader.hpp"
#include "dse/frontend/workload_frontend.hpp"
#include "dse/model/registry.hpp"
#include "dse/netsim/registry.hpp"
#include "dse/sim/engine.hpp"
#include "eval/sweep_facts.hpp"
#include "eval/sweep_tree.hpp"

namespace dse::eval {
namespace {

using config::Diagnostics;
using config::FieldIndex;
using config::Node;

std::vector<metrics::Objective> read_objectives(const Node* node, Diagnostics& diagnostics) {
    std::vector<metrics::Objective> objectives;
    if (node == nullptr) return {{"iteration_time"}, {"memory_peak"}};
    if (!node->is_map()) {
        diagnostics.error(node->location(), node->path(),
                          fmt::format("{} stands where a map from metric to minimize or "
                                      "maximize is needed",
                                      node->describe()));
        return objectives;
    }
    for (const Node::Entry& entry : node->entries()) {
        try {
            objectives.push_back(
                metrics::parse_objective(fmt::format("{}: {}", entry.key, entry.value.text())));
        } catch (const InputError& error) {
            diagnostics.error(entry.location, entry.value.path(), error.what());
        }
    }
    return objectives;
}

/// Reads what is fixed, and marks the keys that others read as known.
void read_scenario(const Node& root, Sweep& sweep, Diagnostics& diagnostics) {
    config::Reader reader(root, &sweep.library, diagnostics);
    std::string ignored;
    reader.required("name", sweep.name, "of the sweep");
    reader.optional("description", ignored, "what it asks");
    describe(reader, sweep.base);
    for (const char* key : {"axes", "derive", "require", "search"}) reader.take(key);
    sweep.objectives = read_objectives(reader.take("objectives"), diagnostics);
    reader.finish();
}

template <class Table>
void check_name(const Table& table, const std::string& name, const config::Location& where,
                const std::string& path, Diagnostics& diagnostics) {
    try {
        static_cast<void>(table.find(name));
    } catch (const InputError& error) {
        diagnostics.error(where, path, error.what());
    }
}

void check_fidelity_name(const std::string& part, const std::string& name, const config::Location& where,
                         const std::string& path, Diagnostics& diagnostics) {
    if (part == "compute") check_name(model::compute_models(), name, where, path, diagnostics);
    if (part == "network") check_name(netsim::network_models(), name, where, path, diagnostics);
    if (part == "engine") check_name(sim::engines(), name, where, path, diagnostics);
}

void check_fidelity(const FidelitySpec& fidelity, const Node* section, Diagnostics& diagnostics) {
    const auto check = [&](const char* part, const std::string& name) {
        const Node* value = section != nullptr ? section->find(part) : nullptr;
        check_fidelity_name(part, name, value != nullptr ? value->location() : config::Location{},
                            fmt::format("fidelity.{}", part), diagnostics);
    };
    check("compute", fidelity.compute);
    check("network", fidelity.network);
    check("engine", fidelity.engine);
}

/// The names on an axis over a part of the fidelity.
void check_fidelity_axes(const space::SweepSpec& spec, Diagnostics& diagnostics) {
    constexpr std::string_view section = "fidelity.";
    for (const space::Axis& axis : spec.axes) {
        if (!axis.info.path.starts_with(section)) continue;
        for (const std::string& name : axis.labels) {
            check_fidelity_name(axis.info.path.substr(section.size()), name, axis.where, "axes." + axis.name,
                                diagnostics);
        }
    }
}

bool is_varied(const Sweep& sweep, std::string_view path) {
    if (!sweep.space) return true;
    const auto sets = [&](const auto& value) { return value.info.path == path; };
    return std::any_of(sweep.space->axes().begin(), sweep.space->axes().end(), sets) ||
           std::any_of(sweep.space->derived().begin(), sweep.space->derived().end(), sets);
}

/// Where all points have one model, a sequence is stated if a sample is one, and only then.
void check_sequence(const Sweep& sweep, frontend::TemplateFrontend& frontend, const Node* workload,
                    Diagnostics& diagnostics) {
    if (!diagnostics.ok() || is_varied(sweep, "workload.sequence") || is_varied(sweep, "workload.model"))
        return;
    const bool stated = sweep.base.workload.sequence > 0;
    const std::string& model = sweep.base.workload.model;
    if (model.empty() || stated == frontend.works_on_sequences(model)) return;
    const Node* sequence = workload != nullptr ? workload->find("sequence") : nullptr;
    const Node* place = sequence != nullptr ? sequence : workload;
    diagnostics.error(place != nullptr ? place->location() : config::Location{}, "workload.sequence",
                      stated ? fmt::format("a sample of model '{}' is no sequence (leave it out)", model)
                             : fmt::format("missing (a sample of model '{}' is a sequence)", model));
}

const config::Location& place_of(const Node* section, const char* key) {
    static const config::Location unknown;
    if (section == nullptr) return unknown;
    const Node* value = section->find(key);
    return value != nullptr ? value->location() : section->location();
}

/// A workload is a model or a compiler's program; a model needs to know of how many samples.
void check_kind(const Node& root, Diagnostics& diagnostics) {
    const Node* workload = root.find("workload");
    if (!root.is_map() || (workload != nullptr && !workload->is_map())) return;
    const auto states = [&](const char* key) {
        return workload != nullptr && workload->find(key) != nullptr;
    };
    const config::Location& where = workload != nullptr ? workload->location() : root.location();
    if (states("model") && states("ir"))
        diagnostics.error(place_of(workload, "ir"), "workload.ir",
                          "stands beside a model (a workload is the one or the other)");
    if (states("ir")) {
        const Node& file = *workload->find("ir");
        if (file.is_scalar() && file.text().empty())
            diagnostics.error(file.location(), "workload.ir", "names no file");
        return;
    }
    if (!states("model")) {
        diagnostics.error(where, "workload.model",
                          "missing, and so is workload.ir: a workload is a model (with global_batch) or a "
                          "compiler's program");
    } else if (!states("global_batch")) {
        diagnostics.error(where, "workload.global_batch", "missing (it has no default)");
    }
}

/// Whether a field of a workload says something of a compiler's program.
bool concerns_programs(std::string_view path) {
    constexpr std::array<std::string_view, 9> fields{
        "workload.ir",           "workload.foreign_costs", "workload.queues",
        "workload.global_batch", "workload.sequence",      "workload.precision",
        "workload.cuda_graphs",  "workload.launch_factor", "workload.allocator_overhead"};
    return !path.starts_with("workload.") || path.starts_with("workload.passes.") ||
           std::find(fields.begin(), fields.end(), path) != fields.end();
}

/// How a program is laid out is said in it.
void check_program_fields(const Sweep& sweep, const Node* workload, Diagnostics& diagnostics) {
    constexpr std::string_view reason =
        "has no effect on a compiler's program, which is laid out already (leave it out)";
    constexpr std::string_view section = "workload.";
    for (const std::string& path : sweep.stated) {
        // Of a model beside it check_kind() has spoken.
        if (concerns_programs(path) || path == "workload.model") continue;
        const std::string key = path.substr(section.size());
        diagnostics.error(place_of(workload, key.c_str()), path, std::string{reason});
    }
    if (!sweep.space) return;
    for (const space::Axis& axis : sweep.space->axes()) {
        if (!concerns_programs(axis.info.path))
            diagnostics.error(axis.where, "axes." + axis.name, std::string{reason});
    }
}

using Place = frontend::IrFrontend::Place;

/// Where the values of a field of the workload stand: on an axis, or in the workload itself.
Place place_of_values(const Sweep& sweep, const Node* workload, const char* key) {
    const std::string path = fmt::format("workload.{}", key);
    if (sweep.space) {
        for (const space::Axis& axis : sweep.space->axes())
            if (axis.info.path == path) return {axis.where, "axes." + axis.name};
    }
    return {place_of(workload, key), path};
}

/// Where all points have as many devices, each program is for so many.
void check_devices(const Sweep& sweep, const std::string& program, std::int64_t devices, const Node& root,
                   Diagnostics& diagnostics) {
    constexpr const char* field = "system.devices";
    if (is_varied(sweep, field) || sweep.base.system.devices == devices) return;
    diagnostics.error(
        place_of(root.find("system"), "devices"), field,
        fmt::format("is {}, and '{}' is a program for {}", sweep.base.system.devices, program, devices));
}

/// All programs of the sweep; where it does not say of which format MFU is, that is the one in which most of
/// the programs' products run, if it is the same of all.
/// \return whether there are programs
bool check_programs(Sweep& sweep, const Node& root, Diagnostics& diagnostics,
                    frontend::IrFrontend& frontend) {
    const Node* workload = root.find("workload");
    const std::vector<std::string> costs = foreign_cost_names(sweep);
    for (const std::string& file : costs) {
        if (!file.empty())
            frontend.check_costs(file, place_of_values(sweep, workload, "foreign_costs"), diagnostics);
    }
    std::vector<std::optional<graph::Precision>> formats;
    for (const std::string& file : program_names(sweep)) {
        if (file.empty()) continue;
        graph::WorkloadSpec checked = sweep.base.workload;
        checked.ir = file;
        checked.foreign_costs = costs.front();
        const auto found =
            frontend.check(checked, costs, place_of_values(sweep, workload, "ir"), diagnostics);
        formats.push_back(found ? found->precision : std::nullopt);
        if (found) check_devices(sweep, file, found->devices, root, diagnostics);
    }
    constexpr const char* field = "workload.precision";
    const bool is_stated = std::find(sweep.stated.begin(), sweep.stated.end(), field) != sweep.stated.end() ||
                           is_varied(sweep, field);
    const auto differs = [&](const auto& format) { return format != formats.front(); };
    if (!is_stated && !formats.empty() && formats.front() &&
        std::none_of(formats.begin(), formats.end(), differs))
        sweep.base.workload.stack.precision = *formats.front();
    return !formats.empty();
}

void check_models(Sweep& sweep, const Node& root, Diagnostics& diagnostics) {
    frontend::WorkloadFrontend frontend(sweep.library);
    const Node* workload = root.find("workload");
    check_kind(root, diagnostics);
    for (const std::string& name : model_names(sweep)) {
        if (!name.empty())
            frontend.models().check_model(name, place_of_values(sweep, workload, "model").where, diagnostics);
    }
    const bool has_programs = check_programs(sweep, root, diagnostics, frontend.programs());
    if (has_programs) {
        check_program_fields(sweep, workload, diagnostics);
    } else {
        check_sequence(sweep, frontend.models(), workload, diagnostics);
    }
}

}  // namespace

Setting parse_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw InputError(fmt::format("--set {}: write it as key=value, as in --set tp=8", text));
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

Sweep load_sweep(const std::string& file, const std::vector<Setting>& settings) {
    Diagnostics diagnostics;
    Sweep sweep;
    sweep.file = file;
    sweep.yaml = config::read_text(file);
    sweep.library = config::Library::standard(file);
    Node root = config::parse_yaml(sweep.yaml, file, diagnostics);
    if (root.unreadable()) diagnostics.throw_if_any();
    if (root.is_null())
        throw InputError(fmt::format("{}: is empty (a sweep has name, workload, system and axes)", file));
    FieldIndex fields(sweep.library);
    fields.add("", sweep.base);

    root = with_settings(root, settings, fields, diagnostics);
    root = with_axis_values(root, fields);
    sweep.stated = stated_fields(root, fields);
    read_scenario(root, sweep, diagnostics);
    check_fidelity(sweep.base.fidelity, root.find("fidelity"), diagnostics);
    space::SweepSpec spec = space::read_sweep(root, fields, diagnostics);
    check_fidelity_axes(spec, diagnostics);
    if (auto space = space::Space::compile(std::move(spec), fields, diagnostics)) {
        sweep.space = std::make_shared<const space::Space>(std::move(*space));
    }
    check_models(sweep, root, diagnostics);
    if (sweep.space) sweep.facts = facts_of(sweep, diagnostics);
    diagnostics.throw_if_any();
    for (const config::Diagnostic& diagnostic : diagnostics.all()) sweep.warnings.push_back(diagnostic);
    return sweep;
}

}  // namespace dse::eval
