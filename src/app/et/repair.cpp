#include "dse/trace/chakra/repair.hpp"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/et/rewriting.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"

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

ExitCode repair(const RepairOptions& options) {
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
