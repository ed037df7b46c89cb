#include "dse/eval/sweep.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/reader.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/model/registry.hpp"
#include "dse/sim/engine.hpp"
#include "dse/space/identity.hpp"
#include "dse/space/registry.hpp"

namespace dse::eval {
namespace {

using config::Diagnostics;
using config::FieldIndex;
using config::FieldRef;
using config::Node;

std::string read_text(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// `map` with the value at a dotted path put in (or replaced).
Node with_value(const Node& map, std::string_view path, const Node& value, const std::string& full_path) {
    const std::size_t dot = path.find('.');
    const std::string key{path.substr(0, dot)};
    std::vector<Node::Entry> entries = map.entries();
    auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const Node::Entry& e) { return e.key == key; });
    if (entry == entries.end()) {
        const std::string inner = map.path().empty() ? key : map.path() + "." + key;
        entries.push_back({key, value.location(), Node::map({}, inner, map.location())});
        entry = entries.end() - 1;
    }
    entry->value = dot == std::string_view::npos
                       ? value
                       : with_value(entry->value, path.substr(dot + 1), value, full_path);
    return Node::map(std::move(entries), map.path(), map.location());
}

const Node* first_value(const Node& axis) {
    if (axis.is_sequence()) return axis.items().empty() ? nullptr : &axis.items().front();
    return axis.is_map() ? axis.find("from") : nullptr;
}

/// A field that only an axis sets need not stand in its section as well: the axis' first value stands for it.
Node with_axis_values(const Node& root, const FieldIndex& fields) {
    Node result = root;
    const Node* axes = root.find("axes");
    if (axes == nullptr) return result;
    for (const Node::Entry& axis : axes->entries()) {
        std::string ignored;
        const FieldRef* field = fields.resolve(axis.key, ignored);
        const Node* value = first_value(axis.value);
        if (field == nullptr || value == nullptr || !value->is_scalar()) continue;
        const std::string& path = field->info().path;
        // Only what workload and system themselves hold: below them files of the library have the last word.
        if (std::count(path.begin(), path.end(), '.') != 1) continue;
        const Node* section = result.find(path.substr(0, path.find('.')));
        if (section == nullptr || !section->is_map() ||
            section->find(path.substr(path.find('.') + 1)) != nullptr)
            continue;
        result = with_value(result, path, *value, path);
    }
    return result;
}

/// Settings that name an axis fix it; the others are returned.
std::vector<Setting> fix_axes(Node& root, const std::vector<Setting>& settings, const FieldIndex& fields) {
    std::vector<Setting> others;
    for (const Setting& setting : settings) {
        std::string ignored;
        const FieldRef* field = fields.resolve(setting.key, ignored);
        const Node* axes = root.find("axes");
        std::string axis_name;
        for (std::size_t i = 0; axes != nullptr && i < axes->entries().size(); ++i) {
            const std::string& name = axes->entries()[i].key;
            const FieldRef* axis_field = fields.resolve(name, ignored);
            if (name == setting.key || (field != nullptr && axis_field == field)) axis_name = name;
        }
        if (axis_name.empty()) {
            others.push_back(setting);
            continue;
        }
        const std::string text = fmt::format("[{}]", setting.value);
        Diagnostics diagnostics;
        Node value = config::parse_yaml(text, "--set " + setting.key, diagnostics);
        diagnostics.throw_if_any();
        std::vector<Node::Entry> entries = axes->entries();
        for (Node::Entry& entry : entries) {
            if (entry.key == axis_name) entry.value = value;
        }
        root = with_value(root, "axes", Node::map(std::move(entries), "axes", axes->location()), "axes");
    }
    return others;
}

void apply_settings(const std::vector<Setting>& settings, const FieldIndex& fields,
                    Diagnostics& diagnostics) {
    for (const Setting& setting : settings) {
        std::string error;
        const FieldRef* field = fields.resolve(setting.key, error);
        const Node value = Node::scalar(setting.value, setting.key, "--set");
        if (field == nullptr) {
            diagnostics.error(value.location(), setting.key, error);
        } else if (field->info().type == config::FieldType::text) {
            field->assign_text(setting.value);
        } else if (const auto number = config::parse_value(value, field->info(), diagnostics)) {
            field->assign(*number);
        }
    }
}

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

template <class Table>
void check_name(const Table& table, const std::string& name, const Node* section, const char* key,
                Diagnostics& diagnostics) {
    try {
        static_cast<void>(table.find(name));
    } catch (const InputError& error) {
        const Node* value = section != nullptr ? section->find(key) : nullptr;
        diagnostics.error(value != nullptr ? value->location() : config::Location{},
                          fmt::format("fidelity.{}", key), error.what());
    }
}

/// The names that an axis gives a text field, or the one that the base scenario has.
std::vector<std::string> names_of(const Sweep& sweep, const std::string& path, const std::string& fixed) {
    if (sweep.space) {
        for (const space::Axis& axis : sweep.space->axes()) {
            if (axis.info.path == path) return axis.labels;
        }
    }
    return {fixed};
}

void check_models(const Sweep& sweep, const Node& root, Diagnostics& diagnostics) {
    frontend::TemplateFrontend frontend(sweep.library);
    const Node* workload = root.find("workload");
    const Node* model = workload != nullptr ? workload->find("model") : nullptr;
    for (const std::string& name : names_of(sweep, "workload.model", sweep.base.workload.model)) {
        if (!name.empty())
            frontend.check_model(name, model != nullptr ? model->location() : config::Location{},
                                 diagnostics);
    }
}

std::string value_text(const FieldRef& field) {
    if (field.info().type == config::FieldType::text) return field.read_text();
    const double value = field.read();
    if (field.info().type == config::FieldType::quantity || field.info().type == config::FieldType::number) {
        return fmt::format("{}", value);  // every digit: two sweeps that differ must differ here
    }
    return config::format_value(value, field.info());
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
    Node root = config::load_yaml(file, diagnostics);
    diagnostics.throw_if_any();

    Sweep sweep;
    sweep.file = file;
    sweep.yaml = read_text(file);
    sweep.library = config::Library::standard(file);
    if (root.is_null())
        throw InputError(fmt::format("{}: is empty (a sweep has name, workload, system and axes)", file));
    FieldIndex fields(sweep.library);
    fields.add("", sweep.base);

    const std::vector<Setting> others = fix_axes(root, settings, fields);
    root = with_axis_values(root, fields);
    config::Reader reader(root, &sweep.library, diagnostics);
    std::string ignored;
    reader.required("name", sweep.name, "of the sweep");
    reader.optional("description", ignored, "what it asks");
    describe(reader, sweep.base);
    for (const char* key : {"axes", "derive", "require", "search"}) reader.take(key);
    sweep.objectives = read_objectives(reader.take("objectives"), diagnostics);
    reader.finish();
    apply_settings(others, fields, diagnostics);

    const Node* fidelity = root.find("fidelity");
    check_name(model::compute_models(), sweep.base.fidelity.compute, fidelity, "compute", diagnostics);
    check_name(model::network_models(), sweep.base.fidelity.network, fidelity, "network", diagnostics);
    check_name(sim::engines(), sweep.base.fidelity.engine, fidelity, "engine", diagnostics);

    space::SweepSpec spec = space::read_sweep(root, fields, diagnostics);
    if (auto space = space::Space::compile(std::move(spec), fields, diagnostics)) {
        sweep.space = std::make_shared<const space::Space>(std::move(*space));
    }
    check_models(sweep, root, diagnostics);
    diagnostics.throw_if_any();

    sweep.facts = space::identity(*sweep.space);
    for (const FieldRef& field : fields.fields())
        sweep.facts.emplace_back(field.info().path, value_text(field));
    for (const config::Diagnostic& diagnostic : diagnostics.all()) sweep.warnings.push_back(diagnostic);
    return sweep;
}

}  // namespace dse::eval
