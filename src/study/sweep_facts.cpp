#include "study/sweep_facts.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/base/file_checksum.hpp"
#include "dse/base/hash.hpp"
#include "dse/config/field_index.hpp"
#include "dse/hardware/side_files.hpp"
#include "dse/space/identity.hpp"
#include "dse/study/named_files.hpp"

namespace dse::study {
namespace {

using config::Diagnostics;
using config::FieldIndex;
using config::FieldRef;
using config::FieldType;
using config::Node;
using Facts = std::vector<std::pair<std::string, std::string>>;

/// With all digits, so that different sweeps have different texts.
std::string value_text(const FieldRef& field) {
    const FieldType type = field.info().type;
    if (type == FieldType::text) return field.read_text();
    const double value = field.read();
    if (type == FieldType::quantity || type == FieldType::number) return fmt::format("{}", value);
    return config::format_value(value, field.info());
}

void add_fields(const FieldIndex& fields, Facts& facts) {
    for (const FieldRef& field : fields.fields()) facts.emplace_back(field.info().path, value_text(field));
}

/// All fields of a scenario, and the contents of the files that its system reads besides. Their folders do
/// not count: the nodes of a job may have them in different places.
void add_scenario(const FieldIndex& fields, const Scenario& scenario, Facts& facts) {
    add_fields(fields, facts);
    for (const std::string& path : hardware::side_files(scenario.system)) {
        facts.emplace_back("hardware/" + std::filesystem::path{path}.filename().string(),
                           checksum_of_file(path));
    }
}

/// Content of a document, without locations, comments and layout.
std::string content(const Node& node) {
    std::string text = node.is_scalar() ? fmt::format("'{}'", node.text()) : "";
    for (const Node& item : node.items()) text += fmt::format("[{}]", content(item));
    for (const Node::Entry& entry : node.entries()) {
        text += fmt::format("{{{}: {}}}", entry.key, content(entry.value));
    }
    return text;
}

/// Adds the files that axes name, or that are derived from them: for each, all fields of a scenario that uses
/// it.
void add_axis_files(const Sweep& sweep, Facts& facts, Diagnostics& diagnostics) {
    Scenario scenario = sweep.base;
    FieldIndex fields(sweep.library);
    fields.add("", scenario);
    const auto add = [&](const config::FieldInfo& info, const std::vector<std::string>& labels,
                         const config::Location& where, const std::string& place) {
        if (!info.sets_others) return;
        const FieldRef* field = fields.resolve(info.path);
        for (const std::string& label : labels) {
            try {
                field->assign_text(label);
                Facts values;
                add_scenario(fields, scenario, values);
                facts.emplace_back(fmt::format("{}.{}", info.path, label), to_string(space::digest(values)));
            } catch (const InputError& error) {
                diagnostics.error(where, place, fmt::format("'{}': {}", label, error.what()));
            }
        }
        scenario = sweep.base;
    };
    for (const space::Axis& axis : sweep.space->axes())
        add(axis.info, axis.labels, axis.where, "axes." + axis.name);
    for (const space::Derived& derived : sweep.space->derived())
        add(derived.info, derived.info.choices, derived.where, "derive." + derived.name);
}

/// \param name  beside the file that names it, if a file does
/// \param diagnostics  errors of the file
void add_file(const Sweep& sweep, const char* folder, const Node& name, Facts& facts,
              Diagnostics& diagnostics) {
    const auto node = sweep.library.load(folder, name, diagnostics);
    if (!node) return;
    facts.emplace_back(fmt::format("{}/{}", folder, name.text()), to_string(digest(content(*node))));
    const Node* base = node->find("template");
    if (base != nullptr) add_file(sweep, "workloads/templates", *base, facts, diagnostics);
}

void add_file(const Sweep& sweep, const char* folder, const std::string& name, Facts& facts,
              Diagnostics& diagnostics) {
    add_file(sweep, folder, Node::scalar(name, folder, ""), facts, diagnostics);
}

void add_uncertain(const UncertainSpec& uncertain, Facts& facts) {
    facts.emplace_back("uncertain.draws", fmt::format("{}", uncertain.draws));
    for (const UncertainField& one : uncertain.fields) {
        facts.emplace_back(
            "uncertain." + one.field.path,
            fmt::format("{}{} {} {}", one.means == UncertainField::Means::factor ? "factor " : "",
                        one.distribution == UncertainField::Distribution::normal ? "normal" : "uniform",
                        one.first, one.second));
    }
}

}  // namespace

Facts facts_of(const Sweep& sweep, const WorkloadFacts& workloads, Diagnostics& diagnostics) {
    Facts facts = space::identity(*sweep.space);
    if (!sweep.has_scenario) return facts;
    Scenario scenario = sweep.base;
    FieldIndex fields(sweep.library);
    fields.add("", scenario);
    add_scenario(fields, scenario, facts);
    // Which of the stated fields hold under every file only matters if an axis names files.
    const std::size_t without_files = facts.size();
    add_axis_files(sweep, facts, diagnostics);
    if (facts.size() > without_files) {
        facts.emplace_back("stated", fmt::format("{}", fmt::join(sweep.stated, ", ")));
    }
    Diagnostics ignored;  // reported where models are checked, and where a sweep is loaded (eval/load_sweep)
    for (const std::string& model : model_names(sweep)) {
        if (!model.empty()) add_file(sweep, "workloads/models", model, facts, ignored);
    }
    // Rows have error bars, which are those of these files. A library may have none.
    for (const char* errors : {"errors", "serving_errors"}) {
        if (sweep.library.find("workloads/measured", errors))
            add_file(sweep, "workloads/measured", errors, facts, ignored);
    }
    if (sweep.confirm) {
        facts.emplace_back("confirm.compute", sweep.confirm->compute);
        facts.emplace_back("confirm.network", sweep.confirm->network);
        facts.emplace_back("confirm.engine", sweep.confirm->engine);
    }
    if (sweep.uncertain) add_uncertain(*sweep.uncertain, facts);
    for (const auto& [name, digest] : workloads.digests) facts.emplace_back("ir/" + name, digest);
    return facts;
}

}  // namespace dse::study
