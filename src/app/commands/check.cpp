#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/file_check.hpp"
#include "app/json_output.hpp"

namespace dse::app {
namespace {

struct CheckOptions {
    std::vector<std::string> files;
    bool json{false};
};

Json row_of(const FileCheck& check) {
    return Json{{"file", check.file},
                {"kind", name(check.kind)},
                {"ok", check.ok()},
                {"errors", check.errors},
                {"warnings", check.warnings}};
}

void print_text(const FileCheck& check) {
    for (const std::string& line : check.errors) std::cout << line << '\n';
    for (const std::string& line : check.warnings) std::cout << line << '\n';
    if (!check.ok()) return;
    const bool needs_model = check.kind == FileKind::template_file;
    std::cout << fmt::format("{}: ok ({}{})\n", check.file, name(check.kind),
                             needs_model ? "; its operators are checked with a model" : "");
}

ExitCode check(const CheckOptions& options) {
    bool ok = true;
    Json json = json_object();
    json["rows"] = Json::array();
    for (const std::string& file : options.files) {
        const FileCheck result = check_file(file);
        ok = ok && result.ok();
        if (options.json) {
            json["rows"].push_back(row_of(result));
        } else {
            print_text(result);
        }
    }
    if (options.json) print_json(json);
    return ok ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_check(CLI::App& app) {
    const auto options = std::make_shared<CheckOptions>();
    app.add_option("files", options->files,
                   "sweeps, models, templates, devices, clusters, software stacks, tables, learned kernels, "
                   "foreign costs, power of components, facts about measurements; measurements, kernels and "
                   "requests (.csv, .jsonl); programs (.hlo, .mlir, .stablehlo, .fx, .py, .log, .txt, .gz); "
                   "traces (.et)")
        ->required()
        ->type_name("FILE…");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return check(*options); };
}

}  // namespace dse::app
