#include "dse/study/read_sweep.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "dse/config/field_index.hpp"
#include "dse/config/reader.hpp"
#include "dse/graph/class_columns.hpp"
#include "study/sweep_tree.hpp"

namespace dse::study {
namespace {

using config::Diagnostics;
using config::FieldIndex;
using config::Node;

/// Columns of the classes of requests, which a program that evaluates points knows nothing of.
std::vector<space::AddedMetric> columns_of_classes(const Node& root, const Sweep& sweep) {
    std::vector<space::AddedMetric> columns;
    if (root.find("exec") != nullptr) return columns;
    for (const graph::ClassColumn& column : graph::class_columns(sweep.base.workload.traffic))
        columns.push_back({column.name, column.unit});
    return columns;
}

/// Metrics that a sweep adds: derived ones, those of classes of requests, and those returned by its program.
std::vector<std::string> own_metrics(const Node& root, const Sweep& sweep) {
    const Node* exec = root.find("exec");
    const std::array<const Node*, 2> maps{root.find("metrics"),
                                          exec != nullptr ? exec->find("metrics") : nullptr};
    std::vector<std::string> names;
    for (const Node* map : maps) {
        if (map == nullptr) continue;
        for (const Node::Entry& entry : map->entries()) names.push_back(entry.key);
    }
    for (const space::AddedMetric& column : columns_of_classes(root, sweep)) names.push_back(column.name);
    if (root.find("uncertain") == nullptr) return names;
    names.emplace_back("feasible_share");
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        for (const std::string& suffix : statistic_suffixes())
            names.push_back(std::string{field.name} + suffix);
    }
    return names;
}

/// Whether an axis or a derived value has this name.
bool is_varied_by(const Node& root, const std::string& name) {
    for (const char* section : {"axes", "derive"}) {
        const Node* map = root.find(section);
        if (map != nullptr && map->is_map() && map->find(name) != nullptr) return true;
    }
    return false;
}

std::vector<metrics::Objective> read_objectives(const Node& root, const Sweep& sweep, const Node* node,
                                                Diagnostics& diagnostics) {
    std::vector<metrics::Objective> objectives;
    if (node == nullptr && root.find("exec") != nullptr) {
        for (const std::string& name : own_metrics(root, sweep)) objectives.push_back({name});
        return objectives;
    }
    if (node == nullptr) return {{"iteration_time"}, {"memory_peak"}};
    const std::vector<std::string> also = own_metrics(root, sweep);
    if (!node->is_map()) {
        diagnostics.error(
            node->location(), node->path(),
            fmt::format("expected a map from metric to minimize or maximize, found {}", node->describe()));
        return objectives;
    }
    for (const Node::Entry& entry : node->entries()) {
        try {
            objectives.push_back(
                metrics::parse_objective(fmt::format("{}: {}", entry.key, entry.value.text()), also));
        } catch (const InputError& error) {
            diagnostics.error(
                entry.location, entry.value.path(),
                is_varied_by(root, entry.key)
                    ? fmt::format("'{0}' varies between points, but is no metric of them (make it "
                                  "one: metrics: {{my_{0}: {0}}}, and my_{0}: {1} here)",
                                  entry.key, entry.value.text())
                    : error.what());
        }
    }
    return objectives;
}

/// Whether points describe a model on a machine; if a program evaluates them, they need not.
bool has_scenario(const Node& root) {
    return root.find("exec") == nullptr || root.find("workload") != nullptr || root.find("system") != nullptr;
}

/// The sweep's name becomes the name of traces and result files inside the output folder, so it must be a
/// plain file name.
void check_sweep_name(const Node* node, const std::string& name, Diagnostics& diagnostics) {
    if (node == nullptr || !node->is_scalar()) return;
    const bool has_slash = name.find('/') != std::string::npos;
    const bool is_folder = name.empty() || name == "." || name == "..";
    if (!has_slash && !is_folder && name.find('\0') == std::string::npos) return;
    diagnostics.error(node->location(), "name", fmt::format("'{}' cannot name files", name));
}

/// \return whether a sweep describes jobs beside each other
bool refuse_several_jobs(const Node& root, Diagnostics& diagnostics) {
    const Node* workload = root.find("workload");
    const Node* jobs = workload != nullptr && workload->is_sequence() ? workload : nullptr;
    for (const char* key : {"jobs", "workloads"})
        if (jobs == nullptr) jobs = root.find(key);
    if (jobs == nullptr) return false;
    diagnostics.error(jobs->location(), jobs->path(),
                      "a sweep has one workload: each point is one job (equal jobs on one fabric: "
                      "cluster.network.topology.jobs; others: dse trace of each, and dse simulate A B)");
    return true;
}

/// Reads the fixed fields, and marks the keys that are read elsewhere as known.
void read_scenario(const Node& root, Sweep& sweep, Diagnostics& diagnostics) {
    config::Reader reader(root, &sweep.library, diagnostics);
    std::string ignored;
    reader.required("name", sweep.name, "of the sweep");
    check_sweep_name(root.find("name"), sweep.name, diagnostics);
    reader.optional("description", ignored, "what it asks");
    if (refuse_several_jobs(root, diagnostics)) return;
    if (sweep.has_scenario) describe(reader, sweep.base);
    for (const char* key : {"axes", "derive", "require", "search", "where", "metrics", "exec", "uncertain",
                            "confirm", space::demanded_key})
        reader.take(key);
    sweep.objectives = read_objectives(root, sweep, reader.take("objectives"), diagnostics);
    reader.finish();
}

void check_name(const PredictorFamily& family, const std::string& name, const config::Location& where,
                const std::string& path, Diagnostics& diagnostics) {
    try {
        family.require(name);
    } catch (const InputError& error) {
        diagnostics.error(where, path, error.what());
    }
}

void check_fidelity(const FidelitySpec& fidelity, const PredictorNames& names, const Node* section,
                    const std::string& path, Diagnostics& diagnostics) {
    const auto place = [&](const char* part) {
        const Node* value = section != nullptr ? section->find(part) : nullptr;
        return value != nullptr ? value->location() : config::Location{};
    };
    check_name(names.compute, fidelity.compute, place("compute"), path + ".compute", diagnostics);
    check_name(names.network, fidelity.network, place("network"), path + ".network", diagnostics);
    check_name(names.engine, fidelity.engine, place("engine"), path + ".engine", diagnostics);
}

/// Checks the names on axes over parts of the fidelity.
void check_fidelity_axes(const space::SweepSpec& spec, const PredictorNames& names,
                         Diagnostics& diagnostics) {
    const std::array<std::pair<std::string_view, const PredictorFamily*>, 3> parts{
        {{"fidelity.compute", &names.compute},
         {"fidelity.network", &names.network},
         {"fidelity.engine", &names.engine}}};
    for (const space::Axis& axis : spec.axes) {
        for (const auto& [path, family] : parts) {
            if (axis.info.path != path) continue;
            for (const std::string& name : axis.labels)
                check_name(*family, name, axis.where, "axes." + axis.name, diagnostics);
        }
    }
}

/// A workload is a model, a compiler's program or drawn from a family; a model needs the number of samples,
/// or the arriving requests.
void check_kind(const Node& root, const Sweep& sweep, Diagnostics& diagnostics) {
    const Node* workload = root.find("workload");
    if (!root.is_map() || (workload != nullptr && !workload->is_map())) return;
    const auto states = [&](const char* key) {
        return workload != nullptr && workload->find(key) != nullptr;
    };
    const config::Location& where = workload != nullptr ? workload->location() : root.location();
    if (states("model") && states("ir"))
        diagnostics.error(place_of(root, "workload.ir"), "workload.ir",
                          "cannot be combined with a model (a workload is the one or the other)");
    if (states("synthetic") && (states("model") || states("ir")))
        diagnostics.error(place_of(root, "workload.synthetic"), "workload.synthetic",
                          "cannot be combined with a model or a program (a workload is one of the three)");
    for (const char* kind : {"ir", "synthetic"}) {
        if (!states(kind)) continue;
        const Node& file = *workload->find(kind);
        if (file.is_scalar() && file.text().empty())
            diagnostics.error(file.location(), fmt::format("workload.{}", kind), "names no file");
        return;
    }
    if (!states("model")) {
        diagnostics.error(where, "workload.model",
                          "missing, and so is workload.ir or workload.synthetic: a workload is a model (with "
                          "global_batch), a compiler's program or drawn from a family");
    } else if (!states("global_batch") && sweep.base.workload.mode != graph::Mode::serving && sweep.space &&
               !is_varied(sweep, "workload.global_batch")) {
        diagnostics.error(where, "workload.global_batch",
                          "missing (it has no default; an axis or 'derive' may set it)");
    }
}

}  // namespace

namespace {

/// Reads `uncertain` and adds its columns.
void read_draws(const Node& root, const FieldIndex& fields, Sweep& sweep, space::SweepSpec& spec,
                Diagnostics& diagnostics) {
    const Node* node = root.find("uncertain");
    if (node == nullptr) return;
    if (spec.exec)
        return diagnostics.error(node->location(), "uncertain",
                                 "fields of a simulation are drawn, and a program answers (exec)");
    UncertainSpec uncertain = read_uncertain(*node, fields, diagnostics);
    for (const UncertainField& one : uncertain.fields) {
        for (const space::Axis& axis : spec.axes) {
            if (axis.info.path == one.field.path && one.means == UncertainField::Means::value)
                diagnostics.error(
                    one.where, "uncertain." + axis.name,
                    "is an axis: say by what its values are multiplied, as in {factor: {normal: [1, "
                    "0.1]}}");
        }
    }
    const auto fields_of_metrics = metrics::metric_fields();
    for (const metrics::Objective& objective : sweep.objectives) {
        const std::string metric = metric_of_statistic(objective.metric);
        const auto same = [&](const metrics::Objective& other) { return other.metric == metric; };
        const bool known = std::any_of(fields_of_metrics.begin(), fields_of_metrics.end(),
                                       [&](const auto& field) { return field.name == metric; });
        if (known && std::none_of(uncertain.of.begin(), uncertain.of.end(), same))
            uncertain.of.push_back({metric, objective.direction});
    }
    const std::vector<space::AddedMetric> columns = statistic_columns(uncertain);
    spec.added.insert(spec.added.end(), columns.begin(), columns.end());
    sweep.uncertain = std::move(uncertain);
}

/// Reads `confirm`, and adds the column with the fidelity that evaluated the row.
void read_confirm(const Node& root, const PredictorNames& names, Sweep& sweep, space::SweepSpec& spec,
                  Diagnostics& diagnostics) {
    const Node* node = root.find("confirm");
    if (spec.search.method != "screen") {
        if (node != nullptr)
            diagnostics.error(node->location(), "confirm",
                              "has no effect unless the search screens (search: "
                              "{method: screen, …})");
        return;
    }
    spec.added.push_back({"confirmed", "1"});
    if (node == nullptr) {
        const bool by_program = spec.exec && sweep.has_scenario;
        if (!by_program)
            diagnostics.error(
                spec.search.where, "confirm",
                "missing: the fidelity by which 'screen' evaluates what is promising, as in {engine: "
                "event}, or a program beside a workload (exec)");
        return;
    }
    FidelitySpec confirm = sweep.base.fidelity;
    config::read_struct(*node, confirm, nullptr, diagnostics);
    check_fidelity(confirm, names, node, "confirm", diagnostics);
    sweep.confirm = confirm;
}

}  // namespace

Draft read_sweep(const std::string& file, const std::vector<Setting>& settings, const PredictorNames& names) {
    Draft draft;
    Diagnostics& diagnostics = draft.diagnostics;
    Sweep& sweep = draft.sweep;
    sweep.file = file;
    sweep.yaml = config::read_text(file);
    sweep.library = config::Library::standard(file);
    Node root = config::parse_yaml(sweep.yaml, file, diagnostics);
    if (root.unreadable()) diagnostics.throw_if_any();
    if (root.is_null())
        throw InputError(fmt::format("{}: is empty (a sweep has name, workload, system and axes)", file));
    FieldIndex fields(sweep.library);
    sweep.has_scenario = has_scenario(root);
    if (sweep.has_scenario) fields.add("", sweep.base);

    const std::vector<Setting> named = named_from(sweep.library.home(), settings, fields);
    for (const Setting& setting : named) sweep.settings.push_back(setting.key + '=' + setting.value);
    root = with_settings(root, named, fields, diagnostics);
    root = with_axis_values(with_an_axis(root), fields);
    sweep.stated = stated_fields(root, fields);
    read_scenario(root, sweep, diagnostics);
    check_fidelity(sweep.base.fidelity, names, root.find("fidelity"), "fidelity", diagnostics);
    space::SweepSpec spec = space::read_sweep(root, fields, diagnostics);
    check_fidelity_axes(spec, names, diagnostics);
    const std::vector<space::AddedMetric> columns = columns_of_classes(root, sweep);
    spec.added.insert(spec.added.end(), columns.begin(), columns.end());
    read_draws(root, fields, sweep, spec, diagnostics);
    read_confirm(root, names, sweep, spec, diagnostics);
    if (auto space = space::Space::compile(std::move(spec), fields, diagnostics)) {
        sweep.space = std::make_shared<const space::Space>(std::move(*space));
    }
    if (sweep.has_scenario) check_kind(root, sweep, diagnostics);
    draft.root = std::move(root);
    return draft;
}

}  // namespace dse::study
