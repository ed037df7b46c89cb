#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/choice_option.hpp"
#include "app/command.hpp"
#include "app/force.hpp"
#include "app/json_output.hpp"
#include "app/text_table.hpp"
#include "dse/model/compute/systolic/reports.hpp"
#include "dse/model/compute/systolic/topology_file.hpp"

namespace dse::app {
namespace {

using model::SystolicLayerRun;

struct SystolicOptions {
    std::string architecture;
    std::string topology;
    model::TopologyInput input{model::TopologyInput::conv};
    std::string folder;
    bool json{false};
    Existing existing{Existing::refuse};
};

struct Study {
    model::ScaleSimArchitecture architecture;
    std::vector<SystolicLayerRun> runs;
};

Study run(const SystolicOptions& options) {
    config::Diagnostics diagnostics;
    Study study;
    study.architecture = model::read_architecture_file(options.architecture, diagnostics);
    const auto layers = model::read_topology_file(options.topology, options.input, diagnostics);
    diagnostics.throw_if_any();
    if (!diagnostics.all().empty()) std::cerr << diagnostics.text() << "\n";
    if (layers.empty())
        throw InputError(fmt::format("{}: no layer (the first line is a heading)", options.topology));
    for (const model::SystolicLayer& layer : layers)
        study.runs.push_back(run_layer(study.architecture, layer));
    return study;
}

void write(const std::filesystem::path& path, const std::string& text, Existing existing) {
    OutputFile file{path.string(), existing};
    file.stream() << text;
    file.close();
}

/// Writes the reports where SCALE-Sim does: in a folder with the name of the run, inside the given folder.
void write_reports(const Study& study, const std::string& folder, Existing existing) {
    const std::string& name = study.architecture.run_name;
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
        throw InputError(fmt::format("general.run_name: '{}' cannot name the folder of its reports", name));
    const std::filesystem::path place = std::filesystem::path{folder} / name;
    std::error_code error;
    std::filesystem::create_directories(place, error);
    if (error)
        throw InputError(fmt::format("cannot make the folder {}: {}", place.string(), error.message()));
    const std::pair<const char*, std::string> reports[] = {
        {"COMPUTE_REPORT.csv", compute_report(study.runs)},
        {"BANDWIDTH_REPORT.csv", bandwidth_report(study.runs)},
        {"DETAILED_ACCESS_REPORT.csv", access_report(study.runs)}};
    for (const auto& [file, text] : reports) require_free(place / file, existing);
    for (const auto& [file, text] : reports) write(place / file, text, existing);
}

Json row_json(const SystolicLayerRun& run) {
    return Json{{"layer", run.name},
                {"cycles", run.memory.cycles},
                {"stall_cycles", run.memory.stall_cycles},
                {"overall_utilization", run.folds.overall_utilization(run.memory.cycles)},
                {"mapping_efficiency", run.folds.mapping_efficiency()},
                {"compute_utilization", run.folds.compute_utilization()},
                {"sram_reads_ifmap", run.folds.ifmap_reads()},
                {"sram_reads_filter", run.folds.filter_reads()},
                {"sram_writes_ofmap", run.folds.ofmap_writes()},
                {"cycles_with_prefetch", run.memory.cycles_with_prefetch},
                {"dram_reads_ifmap", run.memory.ifmap.words},
                {"dram_reads_filter", run.memory.filter.words},
                {"dram_writes_ofmap", run.memory.ofmap.words}};
}

void print_study_json(const Study& study) {
    Json json = json_object();
    json["run_name"] = study.architecture.run_name;
    json["rows"] = Json::array();
    for (const SystolicLayerRun& run : study.runs) json["rows"].push_back(row_json(run));
    print_json(json);
}

void print_study(const Study& study) {
    const model::SystolicArray& array = study.architecture.array;
    const auto dataflow = static_cast<std::size_t>(array.dataflow);
    std::cout << fmt::format("{}: {:.0f} x {:.0f} array, {}\n", study.architecture.run_name, array.rows,
                             array.columns, choice_names(array.dataflow)[dataflow]);
    TextTable table;
    table.add_column("layer", TextTable::Align::left);
    for (const char* heading : {"cycles", "stalls", "utilization", "mapping", "compute", "ifmap reads",
                                "filter reads", "ofmap writes"})
        table.add_column(heading);
    const auto percent = [](double share) { return fmt::format("{:.2f} %", 100.0 * share); };
    double cycles = 0.0;
    double stalls = 0.0;
    for (const SystolicLayerRun& run : study.runs) {
        cycles += run.memory.cycles;
        stalls += run.memory.stall_cycles;
        table.add_row({run.name, fmt::format("{:.0f}", run.memory.cycles),
                       fmt::format("{:.0f}", run.memory.stall_cycles),
                       percent(run.folds.overall_utilization(run.memory.cycles)),
                       percent(run.folds.mapping_efficiency()), percent(run.folds.compute_utilization()),
                       fmt::format("{:.0f}", run.folds.ifmap_reads()),
                       fmt::format("{:.0f}", run.folds.filter_reads()),
                       fmt::format("{:.0f}", run.folds.ofmap_writes())});
    }
    std::cout << table.text(2)
              << fmt::format("  {} layers, {:.0f} cycles, {:.0f} of them stalls\n", study.runs.size(), cycles,
                             stalls);
}

ExitCode systolic(const SystolicOptions& options) {
    const Study study = run(options);
    if (!options.folder.empty()) write_reports(study, options.folder, options.existing);
    if (options.json) {
        print_study_json(study);
    } else {
        print_study(study);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_systolic(CLI::App& app) {
    const auto options = std::make_shared<SystolicOptions>();
    app.add_option("-c,--config", options->architecture, "SCALE-Sim's architecture file")
        ->required()
        ->type_name("ARCH.cfg");
    app.add_option("-t,--topology", options->topology, "SCALE-Sim's topology file: one layer per line")
        ->required()
        ->type_name("TOPOLOGY.csv");
    const std::map<std::string, model::TopologyInput> inputs{{"conv", model::TopologyInput::conv},
                                                             {"gemm", model::TopologyInput::gemm}};
    app.add_option("-i,--input", options->input, "its columns: conv (default), or gemm: M, N, K")
        ->transform(choice_of(inputs))
        ->type_name("KIND");
    app.add_option("-p,--path", options->folder, "write SCALE-Sim's reports into DIR/<run_name>/")
        ->type_name("DIR");
    add_force(app, options->existing);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return systolic(*options); };
}

}  // namespace dse::app
