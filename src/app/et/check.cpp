#include <iostream>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/trace_arguments.hpp"

namespace dse::app::et {
namespace {

namespace chakra = trace::chakra;

struct CheckOptions {
    TraceArguments traces;
    bool json{false};
};

void print_text(const chakra::Findings& findings) {
    for (const chakra::Finding& finding : findings.all()) {
        std::cout << fmt::format("{}: {}, {} time{}: {}\n", name(severity(finding.kind)), name(finding.kind),
                                 human_count(finding.count), finding.count == 1 ? "" : "s",
                                 meaning(finding.kind));
        for (const std::string& example : finding.examples) std::cout << fmt::format("    {}\n", example);
    }
}

void print_as_json(const chakra::Findings& findings) {
    Json json = json_object();
    json["ok"] = findings.ok();
    json["rows"] = Json::array();
    for (const chakra::Finding& finding : findings.all()) {
        json["rows"].push_back({{"severity", name(severity(finding.kind))},
                                {"kind", name(finding.kind)},
                                {"count", finding.count},
                                {"meaning", meaning(finding.kind)},
                                {"examples", finding.examples}});
    }
    print_json(json);
}

ExitCode check(const CheckOptions& options) {
    std::vector<std::string> damaged;
    const LoadedTraces loaded = load_readable(options.traces, damaged);
    chakra::Findings findings =
        chakra::check_traces(loaded.set, loaded.faults, loaded.groups, loaded.coverage);
    for (std::string& file : damaged) findings.add(chakra::FindingKind::bad_record, std::move(file));
    if (options.json) {
        print_as_json(findings);
    } else {
        print_text(findings);
        if (findings.ok())
            std::cout << fmt::format("{}: ok ({} rank{})\n", options.traces.prefix, loaded.set.ranks.size(),
                                     loaded.set.ranks.size() == 1 ? "" : "s");
    }
    return findings.ok() ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_check(CLI::App& app) {
    const auto options = std::make_shared<CheckOptions>();
    add_trace_arguments(app, options->traces);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return check(*options); };
}

}  // namespace dse::app::et
