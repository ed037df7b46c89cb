#include "dse/trace/chakra/repair.hpp"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/force.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "dse/trace/chakra/trace_set.hpp"

namespace dse::app::et {
namespace {

namespace chakra = trace::chakra;

struct RepairOptions {
    std::string traces;
    std::string prefix;
    bool json{false};
    Existing existing{Existing::refuse};
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
    const std::vector<std::string> files = chakra::trace_files(options.traces);
    for (std::size_t rank = 0; rank < files.size(); ++rank)
        require_free(fmt::format("{}.{}.et", options.prefix, rank), options.existing);
    for (std::size_t rank = 0; rank < files.size(); ++rank) {
        const std::string to = fmt::format("{}.{}.et", options.prefix, rank);
        if (to == files[rank]) throw InputError(fmt::format("'{}' would be written over itself", to));
        const chakra::Repair done = chakra::repair_trace(files[rank], to, options.existing);
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
    app.add_option("traces", options->traces, "a trace, or PREFIX for PREFIX.0.et, PREFIX.1.et, …")
        ->required()
        ->type_name("FILE|PREFIX");
    app.add_option("-o,--output", options->prefix, "PREFIX of the traces that are written")
        ->required()
        ->type_name("PREFIX");
    add_force(app, options->existing);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return repair(*options); };
}

}  // namespace dse::app::et
