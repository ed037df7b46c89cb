#include "app/catalogue.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/json_output.hpp"
#include "dse/base/error.hpp"
#include "dse/config/library.hpp"
#include "dse/config/outline.hpp"
#include "dse/explore/registry.hpp"
#include "dse/frontend/lowering/program_pass.hpp"
#include "dse/frontend/program_files.hpp"
#include "dse/frontend/template/operator_kind.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/model/registry.hpp"
#include "dse/netsim/registry.hpp"
#include "dse/sim/engine.hpp"
#include "dse/space/registry.hpp"
#include "dse/study/scenario.hpp"
#include "dse/synth/family.hpp"

namespace dse::app {
namespace {

/// The `name` in a data file, if it differs from the name of the file.
std::string title_of(const config::Library& library, const char* folder, const std::string& name) {
    config::Diagnostics ignored;
    const auto node = library.load(folder, config::Node::scalar(name, "", "list"), ignored);
    const config::Node* title = node && node->is_map() ? node->find("name") : nullptr;
    return title != nullptr && title->is_scalar() && title->text() != name ? title->text() : "";
}

Family files(const config::Library& library, const char* folder, std::string name, std::string description) {
    Family family{std::move(name), std::move(description), {}};
    for (const std::string& file : library.names(folder)) {
        std::string title = title_of(library, folder, file);
        family.entries.push_back({file, title.empty() ? library.find(folder, file).value_or("") : title});
    }
    return family;
}

/// Description of a file in the manifest of a capture: its number of devices and its stage.
std::string described_by(const Json& manifest, const std::string& file) {
    for (const Json& entry : manifest.value("files", Json::array())) {
        if (entry.value("file", "") != file) continue;
        const std::int64_t devices = manifest.value("devices", std::int64_t{1});
        return fmt::format("{} device{}: {}", devices, devices == 1 ? "" : "s", entry.value("what", ""));
    }
    return "";
}

/// Description from NAME.json next to NAME.<stage>.<language>; empty if there is none.
std::string description_of(const std::filesystem::path& program) {
    const std::string file = program.filename().string();
    std::ifstream text{program.parent_path() / (file.substr(0, file.find('.')) + ".json")};
    try {
        return described_by(Json::parse(text), file);
    } catch (const Json::exception&) {
        return "";
    }
}

Family programs(const config::Library& library) {
    Family family{"programs", "programs of compilers, for workload: {ir: …}", {}};
    for (const std::string& name : frontend::program_names(library)) {
        const std::string file = frontend::program_file(library, name);
        const std::string description = description_of(file);
        family.entries.push_back({name, description.empty() ? file : description});
    }
    return family;
}

/// Description from the card of a family; empty if its file cannot be read.
std::string card_of(const std::string& file) {
    try {
        const synth::Card card = synth::read_family(file).card;
        return fmt::format("{} of {} graphs ({} to {} devices): {}", card.model, card.graphs,
                           card.fewest_devices, card.most_devices, card.data);
    } catch (const InputError&) {
        return "";
    }
}

Family families(const config::Library& library) {
    Family family{"families", "families of workloads, for workload: {synthetic: …}", {}};
    for (const std::string& name : frontend::family_names(library)) {
        const std::string file = frontend::family_file(library, name);
        const std::string description = card_of(file);
        family.entries.push_back({name, description.empty() ? file : description});
    }
    return family;
}

template <class Table>
Family rows(const Table& table, std::string name, std::string description) {
    Family family{std::move(name), std::move(description), {}};
    for (const auto& row : table.rows()) family.entries.push_back({row.name, row.description});
    return family;
}

Family metric_family() {
    Family family{"metrics", "columns of a results file, for objectives: and where:", {}};
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        family.entries.push_back(
            {std::string{field.name}, fmt::format("[{}] {}", field.unit, field.description)});
    }
    return family;
}

/// Beyond, as the 120 orders of five axes, a list says less than its length.
constexpr std::size_t most_choices = 24;

std::string type_of(const config::FieldInfo& info) {
    using config::FieldType;
    switch (info.type) {
        case FieldType::choice:
            if (info.choices.size() > most_choices)
                return fmt::format("{} | … ({} values in all)", info.choices.front(), info.choices.size());
            return fmt::format("{}", fmt::join(info.choices, " | "));
        case FieldType::quantity:
            return config::unit_of(info.dimension);
        case FieldType::integer:
            return "integer";
        case FieldType::flag:
            return "true | false";
        case FieldType::text:
            return "name";
        case FieldType::number:
            break;
    }
    return "number";
}

void add_fields(const std::vector<config::Outline>& outlines, Family& family) {
    using Kind = config::Outline::Kind;
    for (const config::Outline& outline : outlines) {
        if (outline.kind == Kind::records) continue;  // data, not fields
        if (outline.kind != Kind::field) {
            add_fields(outline.members, family);
            continue;
        }
        const std::string range = config::format_range(outline.info);
        const std::string standard = outline.required           ? "; required"
                                     : outline.standard.empty() ? ""
                                                                : "; default " + outline.standard;
        family.entries.push_back(
            {outline.info.path, fmt::format("{} [{}{}{}{}]", outline.help, type_of(outline.info),
                                            range.empty() ? "" : ", ", range, standard)});
    }
}

/// Every field can be an axis.
Family field_family() {
    Family family{"fields", "fields that a sweep can set or vary, by the end of their path", {}};
    add_fields(config::outline_of<study::Scenario>(), family);
    return family;
}

}  // namespace

std::vector<Family> catalogue() {
    const config::Library library = config::Library::standard("");
    return {files(library, "hardware/devices", "devices", "accelerators, for device: (of a cluster)"),
            files(library, "hardware/devices/bases", "bases",
                  "what GPUs have in common, for base: (of a device)"),
            files(library, "hardware/clusters", "clusters", "machines, for system: {cluster: …}"),
            files(library, "hardware/tables", "tables", "measured kernels, for table: (of a device)"),
            files(library, "hardware/learned", "learned",
                  "learned kernel times, for learned: (of a device) and dse kernels"),
            files(library, "workloads/models", "models", "models, for workload: {model: …}"),
            files(library, "workloads/templates", "templates",
                  "forward passes of model families, for template: (of a model)"),
            files(library, "workloads/stacks", "stacks", "frameworks at a point in time, for stack:"),
            programs(library),
            families(library),
            rows(space::samplers(), "samplers",
                 "methods that draw all points in advance, for search: {method: …}"),
            rows(explore::searches(), "searches", "samplers and methods that learn, for search: {method: …}"),
            rows(model::compute_models(), "compute", "models of kernel times, for fidelity: {compute: …}"),
            rows(netsim::network_models(), "network", "models of communication, for fidelity: {network: …}"),
            rows(sim::engines(), "engines", "simulation engines, for fidelity: {engine: …}"),
            rows(frontend::program_passes(), "passes", "compiler passes, for workload: {ir: …, passes: {…}}"),
            rows(frontend::operator_kinds(), "operators", "operators of templates"),
            metric_family(),
            field_family()};
}

}  // namespace dse::app
