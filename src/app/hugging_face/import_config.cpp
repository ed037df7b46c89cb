#include "app/hugging_face/import_config.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/force.hpp"
#include "app/hugging_face/imported_model.hpp"
#include "app/human.hpp"
#include "app/schema/modeline.hpp"
#include "dse/base/error.hpp"
#include "dse/config/library.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::app {
namespace {

namespace fs = std::filesystem;

/// Converts text to a file name: "Llama-3.1-8B" → "llama_3.1_8b".
std::string file_name(const std::string& text) {
    std::string name;
    for (const unsigned char c : text) {
        const bool kept = std::isalnum(c) != 0 || c == '.' || c == '_';
        name += kept ? static_cast<char>(std::tolower(c)) : '_';
    }
    name.erase(0, name.find_first_not_of("._"));
    return name.empty() ? "model" : name;
}

/// Name of the model: from the configuration, otherwise the name of the file, or of its folder if the file is
/// called config.json.
std::string name_of(ConfigFile& config) {
    if (const Json* own = config.find("_name_or_path"); own != nullptr && own->is_string()) {
        const std::string last = fs::path{own->get<std::string>()}.filename().string();
        if (!last.empty()) return file_name(last);
    }
    const std::string stem = config.path().stem().string();
    if (stem != "config") return file_name(stem);
    const std::string folder = fs::absolute(config.path()).parent_path().filename().string();
    return file_name(folder.empty() ? config.model_type() : folder);
}

/// Number of parameters of the template, counting each parameter once.
double parameters_of(const std::string& yaml, const ImportedModel& model) {
    config::Diagnostics diagnostics;
    const config::Node node = config::parse_yaml(yaml, model.name + ".yaml", diagnostics);
    frontend::ModelFile file = frontend::read_model(node, diagnostics);
    diagnostics.throw_if_any();
    frontend::TemplateFrontend templates{config::Library::standard("")};
    templates.define(std::move(file));
    graph::WorkloadSpec workload;
    workload.model = model.name;
    workload.sequence = 1024;
    if (model.counted_in_prefill) workload.mode = graph::Mode::prefill;
    return templates.parameter_count(workload);
}

struct Imported {
    ImportedModel model;
    std::string yaml;
    double parameters{0.0};  ///< of the template
    std::vector<std::string> unknown;
    std::string written;  ///< file; empty if none was requested
};

double share_missing(const Imported& imported) {
    const auto published = static_cast<double>(imported.model.parameters);
    return (imported.parameters - published) / published;
}

void print_import(const Imported& imported, const ConfigFile& config) {
    const ImportedModel& model = imported.model;
    std::cout << fmt::format("{}: {} ({}), template {}\n", config.path().string(), model.name,
                             config.architecture().empty() ? config.model_type() : config.architecture(),
                             model.template_name)
              << fmt::format("parameters: {} by the configuration, {} by the template ({:+.4f} %)\n",
                             human_count(static_cast<std::uint64_t>(model.parameters)),
                             human_count(static_cast<std::uint64_t>(std::llround(imported.parameters))),
                             100.0 * share_missing(imported));
    if (!config.defaults().empty()) {
        std::vector<std::string> fields;
        for (const auto& [field, value] : config.defaults())
            fields.push_back(fmt::format("{} {}", field, value));
        std::cout << fmt::format("not stated, as in transformers: {}\n", fmt::join(fields, ", "));
    }
    for (const std::string& missing : model.left_out)
        std::cout << "not modelled: " << human_name(missing, 200) << '\n';
    if (!imported.unknown.empty()) {
        std::vector<std::string> names;
        for (const std::string& field : imported.unknown) names.push_back(human_name(field, 60));
        std::cout << fmt::format("unknown fields, ignored: {}\n", fmt::join(names, ", "));
    }
    if (imported.written.empty()) {
        std::cout << '\n' << imported.yaml;
    } else {
        std::cout << fmt::format("{0}: for workload: {{model: {0}}}\n", imported.written);
    }
}

void print_import_json(const Imported& imported, const ConfigFile& config) {
    Json json = json_object();
    json["model"] = imported.model.name;
    json["model_type"] = config.model_type();
    json["template"] = imported.model.template_name;
    json["parameters"] = imported.model.parameters;
    json["parameters_template"] = imported.parameters;
    json["left_out"] = imported.model.left_out;
    json["unknown_fields"] = imported.unknown;
    Json& defaults = json["defaults"] = Json::object();
    for (const auto& [field, value] : config.defaults()) defaults[field] = value;
    Json& symbols = json["symbols"] = Json::object();
    for (const auto& [name, value] : imported.model.symbols) symbols[name] = value;
    if (!imported.written.empty()) json["file"] = imported.written;
    json["yaml"] = imported.yaml;
    print_json(json);
}

fs::path target_of(const fs::path& output, const std::string& model) {
    return output.extension() == ".yaml" ? output : output / (model + ".yaml");
}

}  // namespace

ExitCode import_config(const ConfigImport& options) {
    ConfigFile config{options.file};
    Imported imported;
    const fs::path output{options.output};
    // Whoever names the file names the model.
    const bool is_named = output.extension() == ".yaml";
    imported.model = imported_model(config, is_named ? file_name(output.stem().string()) : name_of(config));
    imported.yaml = model_yaml(imported.model, fs::path{options.file}.filename().string());
    imported.parameters = parameters_of(imported.yaml, imported.model);
    // Beyond this, the sum of the configuration's sizes does not fit its integers.
    constexpr double most_parameters = 1e18;
    if (imported.parameters > most_parameters)
        throw InputError(fmt::format("{}: states {:.3g} parameters: one of its sizes is wrong", options.file,
                                     imported.parameters));
    imported.unknown = config.unknown();
    if (!options.output.empty()) {
        const fs::path target = target_of(options.output, imported.model.name);
        require_another(target, options.file);
        if (target.has_parent_path()) fs::create_directories(target.parent_path());
        imported.written = target.string();
        OutputFile file{imported.written, options.existing};
        file.stream() << modeline("model", config::Library::standard("")) << imported.yaml;
        file.close();
    }
    if (options.json) {
        print_import_json(imported, config);
    } else {
        print_import(imported, config);
    }
    return ExitCode::ok;
}

}  // namespace dse::app
