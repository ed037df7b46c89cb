#include "dse/trace/chakra/repair.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/et/rewriting.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "dse/base/output_file.hpp"

namespace dse::app::et {
namespace {

namespace chakra = trace::chakra;

struct RepairOptions {
    Rewriting rewriting;
    bool json{false};
};

void print_text(const std::string& file, const chakra::Repair& repair) {
    std::cout << fmt::format(
        "{}: {} dependencies on nodes that are not there left out; {} nodes ordered on their stream{}{}\n",
        file, human_count(repair.left_out), human_count(repair.ordered),
        repair.contradicted > 0
            ? fmt::format(", {} not, against their dependencies", human_count(repair.contradicted))
            : "",
        repair.waits == chakra::Waits::for_data ? "; control dependencies, which made a cycle, left out"
                                                : "");
}

/// The ranks of each group go with the traces, which cannot be played without.
void copy_groups(const RepairOptions& options) {
    const std::filesystem::path groups = options.rewriting.traces + ".json";
    const std::filesystem::path target = options.rewriting.prefix + ".json";
    if (!std::filesystem::is_regular_file(groups)) return;
    require_free(target, options.rewriting.existing);
    std::filesystem::copy_file(groups, target, std::filesystem::copy_options::overwrite_existing);
    if (!options.json) std::cout << fmt::format("{}: the groups of {}\n", target.string(), groups.string());
}

ExitCode repair(const RepairOptions& options) {
    const std::filesystem::path folder = std::filesystem::path{options.rewriting.prefix}.parent_path();
    std::error_code ignored;  // a folder that cannot be made is told of where files are
    if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
    Json json = json_object();
    json["rows"] = Json::array();
    for (const auto& [from, to] : rewritten_files(options.rewriting)) {
        const chakra::Repair done = chakra::repair_trace(from, to, options.rewriting.existing);
        if (!options.json) print_text(to, done);
        json["rows"].push_back({{"file", to},
                                {"left_out", done.left_out},
                                {"ordered", done.ordered},
                                {"contradicted", done.contradicted},
                                {"without_control", done.waits == chakra::Waits::for_data}});
    }
    copy_groups(options);
    if (options.json) print_json(json);
    return ExitCode::ok;
}

}  // namespace

Action declare_repair(CLI::App& app) {
    const auto options = std::make_shared<RepairOptions>();
    declare_rewriting(app, options->rewriting);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return repair(*options); };
}

}  // namespace dse::app::et
