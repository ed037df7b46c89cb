#include "dse/trace/chakra/repair.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/et/rewriting.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "dse/base/error.hpp"
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
        "{}: {} dependencies on missing nodes removed; {} nodes ordered on their stream{}{}\n", file,
        human_count(repair.left_out), human_count(repair.ordered),
        repair.contradicted > 0
            ? fmt::format(", {} not, against their dependencies", human_count(repair.contradicted))
            : "",
        repair.waits == chakra::Waits::for_data ? "; control dependencies, which formed a cycle, removed"
                                                : "");
}

struct RepairedFile {
    std::string path;
    chakra::Repair repair;
};

/// All traces of a job, or none: half a job cannot be told from a whole one.
std::vector<RepairedFile> repair_all(const Rewriting& rewriting) {
    std::vector<RepairedFile> files;
    try {
        for (const auto& [from, to] : rewritten_files(rewriting))
            files.push_back({to, chakra::repair_trace(from, to, rewriting.existing)});
    } catch (const InputError&) {
        std::error_code ignored;
        for (const RepairedFile& file : files) std::filesystem::remove(file.path, ignored);
        throw;
    }
    return files;
}

std::string groups_of(const std::string& prefix) {
    return prefix + ".json";
}

/// Groups stand beside the traces: without them the copy could not be played.
void copy_groups(const Rewriting& rewriting) {
    const std::string from = groups_of(rewriting.traces);
    if (!std::filesystem::is_regular_file(from)) return;
    std::filesystem::copy_file(from, groups_of(rewriting.prefix),
                               std::filesystem::copy_options::overwrite_existing);
}

ExitCode repair(const RepairOptions& options) {
    Json json = json_object();
    json["rows"] = Json::array();
    if (std::filesystem::is_regular_file(groups_of(options.rewriting.traces)))
        require_free(groups_of(options.rewriting.prefix), options.rewriting.existing);
    const std::vector<RepairedFile> files = repair_all(options.rewriting);
    copy_groups(options.rewriting);
    for (const auto& [file, done] : files) {
        if (!options.json) print_text(file, done);
        json["rows"].push_back({{"file", file},
                                {"left_out", done.left_out},
                                {"ordered", done.ordered},
                                {"contradicted", done.contradicted},
                                {"without_control", done.waits == chakra::Waits::for_data}});
    }
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
