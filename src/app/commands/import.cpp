#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/force.hpp"
#include "app/hugging_face/config_file.hpp"
#include "app/hugging_face/import_config.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/rank_choice.hpp"
#include "app/text_table.hpp"
#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "dse/config/library.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/frontend/lowering/lower.hpp"
#include "dse/frontend/lowering/prepare.hpp"
#include "dse/frontend/program_files.hpp"
#include "dse/ir/program/cost/foreign_costs_yaml.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/program/program_error.hpp"
#include "dse/ir/program/unsized_values.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "dse/trace/chakra/export.hpp"

namespace dse::app {
namespace {

namespace chakra = trace::chakra;

struct ImportOptions {
    std::string file;
    std::string folder;
    std::string costs;
    std::string ranks{"all"};
    bool gzip{false};
    bool json{false};
    Existing existing{Existing::refuse};
};

/// Content of all modules together.
struct Content {
    std::vector<ir::Program> programs;
    ir::Cost once;
    ir::Cost by_trips;
    std::map<std::string, std::int64_t> operators;
    std::map<std::string, std::int64_t> unknown;
    std::map<ir::Opcode, ir::CollectiveTotal> collectives;
    std::int64_t endless_loops{0};
    std::vector<ir::UnsizedValues> unsized;
};

Content content_of(std::vector<ir::Program> programs, const ir::ForeignCosts& foreign) {
    Content content;
    content.programs = std::move(programs);
    for (const ir::Program& program : content.programs) {
        const ir::ProgramCost cost = ir::program_cost(program, foreign);
        content.once = content.once.plus(cost.once);
        content.by_trips = content.by_trips.plus(cost.by_trips);
        for (const auto& [name, count] : cost.operators) content.operators[name] += count;
        for (const auto& [name, count] : cost.unknown) content.unknown[name] += count;
        for (const ir::CollectiveTotal& total : cost.collectives) {
            ir::CollectiveTotal& sum = content.collectives[total.kind];
            sum.kind = total.kind;
            sum.count += total.count;
            sum.bytes += total.bytes;
            sum.sent += total.sent;
        }
        content.endless_loops += cost.endless_loops;
        for (ir::UnsizedValues& values : ir::unsized_values(program))
            content.unsized.push_back(std::move(values));
    }
    return content;
}

Content read(const ImportOptions& options, const ir::ForeignCosts& foreign) {
    return ir::naming_file(
        options.file, [&] { return content_of(ir::read_programs(ir::Source::file(options.file)), foreign); });
}

/// One device's part of programs that are sharded over several devices, or why the partitioner rejects them.
struct Partitioned {
    std::optional<Content> content;
    std::string refusal;
};

std::optional<Partitioned> partitioned(const ImportOptions& options, const Content& whole,
                                       const ir::ForeignCosts& foreign) {
    const auto is_whole = [](const ir::Program& program) {
        return !program.partitioned && program.devices() > 1;
    };
    if (std::none_of(whole.programs.begin(), whole.programs.end(), is_whole)) return std::nullopt;
    std::vector<ir::Program> programs;
    try {
        for (const ir::Program& program : whole.programs)
            programs.push_back(frontend::for_one_device(program));
    } catch (const ir::ProgramError& error) {
        return Partitioned{std::nullopt, error.in(options.file)};
    } catch (const ModelError& error) {
        return Partitioned{std::nullopt, error.what()};
    }
    // Any error from here on is in the table of foreign costs.
    return ir::naming_file(options.file, [&] {
        return Partitioned{content_of(std::move(programs), foreign), ""};
    });
}

/// Traces exported from the program of a file.
struct Exported {
    std::string prefix;
    std::int64_t ranks{0};
    chakra::ExportSummary summary;
};

frontend::Lowered lowered_of(const ImportOptions& options, const ir::Program& program,
                             const ir::ForeignCosts& foreign) {
    try {
        return frontend::lower(frontend::with_passes(frontend::for_one_device(program), {}), {}, foreign);
    } catch (const ir::ProgramError& error) {
        throw ModelError(error.in(options.file));
    } catch (const ModelError& error) {
        throw ModelError(fmt::format("{}: {}", options.file, error.what()));
    }
}

Exported write_traces(const ImportOptions& options, const Content& content, const ir::ForeignCosts& foreign) {
    if (content.programs.size() != 1)
        throw InputError(fmt::format(
            "{}: contains {} modules, but traces can be written for one only (put it into a file of its own)",
            options.file, content.programs.size()));
    std::string stem = std::filesystem::path{options.file}.filename().string();
    stem = stem.substr(0, stem.find('.'));
    Exported exported{(std::filesystem::path{options.folder} / stem).string(), 0, {}};
    const frontend::Lowered lowered = lowered_of(options, content.programs.front(), foreign);
    const graph::Mesh& mesh = lowered.graph.mesh;
    exported.ranks = mesh.ranks();
    chakra::ExportOptions wanted;
    wanted.prefix = exported.prefix;
    wanted.ranks = options.ranks == "all"       ? chakra::every_rank(mesh)
                   : options.ranks == "classes" ? chakra::one_rank_of_each_stage(mesh)
                                                : parse_ranks(options.ranks, mesh.ranks());
    wanted.compression = options.gzip ? chakra::Compression::gzip : chakra::Compression::none;
    wanted.stopped = dist::stop_requested;
    wanted.existing = options.existing;
    exported.summary = chakra::export_traces(lowered.graph, {}, wanted);
    return exported;
}

Json counts(const std::map<std::string, std::int64_t>& numbers) {
    Json object = Json::object();
    for (const auto& [name, count] : numbers) object[name] = count;
    return object;
}

void add_costs(Json& object, const Content& content) {
    object["flops"] = content.once.products();
    object["flops_xla"] = content.once.flops;
    object["flops_trip_weighted"] = content.by_trips.flops;
    object["flops_foreign"] = content.by_trips.foreign_flops;
    object["flops_surplus"] = content.by_trips.surplus;
    object["transcendentals"] = content.once.transcendentals;
    object["bytes"] = content.once.bytes;
    object["collectives"] = Json::array();
    for (const auto& [kind, total] : content.collectives)
        object["collectives"].push_back(
            {{"kind", ir::name(kind)}, {"count", total.count}, {"bytes", total.bytes}, {"sent", total.sent}});
}

std::int64_t values_without_size(const Content& content) {
    std::int64_t sum = 0;
    for (const ir::UnsizedValues& values : content.unsized) sum += values.count;
    return sum;
}

Json json_of(const Content& content, const std::optional<Partitioned>& parts) {
    Json object = json_object();
    const ir::Program& first = content.programs.front();
    object["language"] = ir::name(first.language);
    object["modules"] = content.programs.size();
    object["devices"] = first.devices();
    object["operators"] = counts(content.operators);
    add_costs(object, content);
    if (parts) {
        Json& of_device = object["partitioned"] = Json::object();
        if (parts->content)
            add_costs(of_device, *parts->content);
        else
            of_device["refusal"] = parts->refusal;
    }
    object["unknown"] = counts(content.unknown);
    object["loops_without_count"] = content.endless_loops;
    object["values_without_size"] = values_without_size(content);
    return object;
}

void print_operators(const Content& content) {
    std::vector<std::pair<std::int64_t, std::string>> rows;
    for (const auto& [name, count] : content.operators) rows.emplace_back(count, name);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    TextTable table;
    table.add_column("operator", TextTable::Align::left);
    table.add_column("count");
    for (const auto& [count, name] : rows) table.add_row({name, fmt::format("{}", count)});
    std::cout << table.text(2);
}

void print_costs(const Content& content) {
    std::cout << fmt::format("FLOPs of products, loops once       {:.6g}\n", content.once.products())
              << fmt::format("FLOPs by XLA's rules, loops once    {:.6g}\n", content.once.flops)
              << fmt::format("FLOPs by XLA's rules x trip counts  {:.6g}\n", content.by_trips.flops)
              << fmt::format("FLOPs of foreign calls x trips      {:.6g}\n", content.by_trips.foreign_flops)
              << fmt::format("bytes by XLA's rules, loops once    {}\n", human_bytes(content.once.bytes));
    if (content.by_trips.surplus > 0)
        std::cout << fmt::format("FLOPs beyond the model's x trips    {:.6g}\n", content.by_trips.surplus);
    for (const auto& [kind, total] : content.collectives)
        std::cout << fmt::format("{}: {} times, {} per device, which sends {}\n", ir::name(kind), total.count,
                                 human_bytes(total.bytes), human_bytes(total.sent));
}

void print(const Content& content, const std::optional<Partitioned>& parts, const ImportOptions& options) {
    const ir::Program& first = content.programs.front();
    std::cout << fmt::format("{}: {}, {} module{}, {} device{}{}\n", options.file, ir::name(first.language),
                             content.programs.size(), content.programs.size() == 1 ? "" : "s",
                             first.devices(), first.devices() == 1 ? "" : "s",
                             first.partitioned ? "" : ", sharded and not yet partitioned");
    print_operators(content);
    print_costs(content);
    if (parts && parts->content) {
        std::cout << fmt::format("partitioned here, for each of {} devices:\n", first.devices());
        print_costs(*parts->content);
    } else if (parts) {
        std::cout << fmt::format("not partitioned here: {}\n", parts->refusal);
    }
    for (const auto& [name, count] : content.unknown)
        std::cout << fmt::format("unknown: {} ({} times; specify its costs with --foreign-costs)\n", name,
                                 count);
    if (content.endless_loops > 0)
        std::cout << fmt::format("{} loops have no known trip count: counted once\n", content.endless_loops);
    for (const ir::UnsizedValues& values : content.unsized)
        std::cout << fmt::format("{}:{}: warning: {}\n", options.file, values.line, values.reason);
}

/// Resolves a name like sweeps do. A path that exists but is not a file is rejected when it is read.
std::string file_of(const std::string& name) {
    std::error_code ignored;
    return std::filesystem::exists(name, ignored)
               ? name
               : frontend::program_file(config::Library::standard(""), name);
}

ExitCode import(ImportOptions options) {
    dist::install_stop_signals();
    const CheckpointScope scope{[] {
        if (dist::stop_requested()) throw Stopped("stopped before the program was read");
    }};
    if (is_model_config(options.file))
        return import_config({options.file, options.folder, options.json, options.existing});
    options.file = file_of(options.file);
    const ir::ForeignCosts foreign =
        options.costs.empty() ? ir::ForeignCosts{} : ir::foreign_costs_of(options.costs);
    const Content content = read(options, foreign);
    const std::optional<Partitioned> parts = partitioned(options, content, foreign);
    Json json = json_of(content, parts);
    if (!options.json) print(content, parts, options);
    if (!options.folder.empty()) {
        const Exported exported = write_traces(options, content, foreign);
        if (!options.json)
            std::cout << fmt::format("{}.<rank>.et: {} of {} ranks, {} nodes, {}\n{}: {} communicators\n",
                                     exported.prefix, exported.summary.files, exported.ranks,
                                     human_count(exported.summary.nodes),
                                     human_bytes(static_cast<double>(exported.summary.bytes)),
                                     exported.summary.communicator_file, exported.summary.communicators);
        json["traces"] = {{"prefix", exported.prefix},
                          {"ranks", exported.ranks},
                          {"files", exported.summary.files},
                          {"nodes", exported.summary.nodes},
                          {"communicator_file", exported.summary.communicator_file}};
    }
    if (options.json) print_json(json);
    return ExitCode::ok;
}

}  // namespace

Action declare_import(CLI::App& app) {
    const auto options = std::make_shared<ImportOptions>();
    app.add_option("file", options->file,
                   "a compiler's program: StableHLO, HLO or FX, gzip or not; or the name of one of `dse list "
                   "programs`; or the config.json of a published model")
        ->required()
        ->type_name("PROGRAM");
    CLI::Option* folder = app.add_option("-o,--output", options->folder,
                                         "write its execution traces (Chakra) to this folder; for a "
                                         "config.json, write the model file there or under this name")
                              ->type_name("DIR|MODEL.yaml");
    app.add_option("--foreign-costs", options->costs, "costs of foreign calls: target -> {flops, bytes}")
        ->type_name("FILE.yaml");
    app.add_option("--ranks", options->ranks,
                   "ranks to write: all, classes (one rank, since the others run the same), or a list")
        ->type_name("all|classes|0,8,16-23")
        ->capture_default_str()
        ->needs(folder);
    app.add_flag("--gzip", options->gzip, "compress the traces")->needs(folder);
    add_force(app, options->existing);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return import(*options); };
}

}  // namespace dse::app
