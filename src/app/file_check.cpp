#include "app/file_check.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "app/trace_arguments.hpp"
#include "dse/base/error.hpp"
#include "dse/config/library.hpp"
#include "dse/config/reader.hpp"
#include "dse/eval/load_sweep.hpp"
#include "dse/frontend/lowering/assumptions.hpp"
#include "dse/frontend/lowering/lower.hpp"
#include "dse/frontend/lowering/prepare.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/frontend/template/template_source.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/hardware/device/rate_note.hpp"
#include "dse/ir/program/cost/foreign_costs_yaml.hpp"
#include "dse/ir/program/program_error.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "dse/space/space_count.hpp"

namespace dse::app {
namespace {

using config::Diagnostics;
using config::Node;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Turns a file name into a path, which libraries do not mistake for the name of an entry.
std::string as_path(const std::string& file) {
    return std::filesystem::absolute(file).string();
}

template <class Struct>
Struct check_data(const std::string& file, const char* folder, Diagnostics& diagnostics) {
    const config::Library library = config::Library::standard(file);
    Struct read;
    if (const auto node = library.load(folder, Node::scalar(as_path(file), "", file), diagnostics)) {
        config::read_struct(*node, read, &library, diagnostics);
    }
    return read;
}

void check_device(FileCheck& check, Diagnostics& diagnostics) {
    const auto device = check_data<hardware::DeviceSpec>(check.file, "hardware/devices", diagnostics);
    const std::string note = diagnostics.ok() ? hardware::rate_note(device) : "";
    if (!note.empty()) check.warnings.push_back(fmt::format("{}: warning: {}", check.file, note));
}

void check_model(const std::string& file, Diagnostics& diagnostics) {
    frontend::TemplateFrontend frontend{config::Library::standard(file)};
    frontend.check_model(as_path(file), {}, diagnostics);
}

/// A sweep without any points is valid but useless, so it is reported as an error.
void check_sweep(const std::string& file, FileCheck& check) {
    const study::Sweep sweep = eval::load_sweep(file, {});
    for (const config::Diagnostic& warning : sweep.warnings) {
        check.warnings.push_back(fmt::format("{}: warning: {}: {}", config::to_string(warning.where),
                                             warning.path, warning.message));
    }
    const space::SpaceCount count = space::count(*sweep.space);
    if (count.remaining.approximate == 0.0 && count.method == space::SpaceCount::Method::exact) {
        check.errors.push_back(
            fmt::format("{}: error: its requirements drop every point (see dse plan)", file));
    }
}

/// Checks what one rank shows; `dse et check` checks all ranks.
void check_trace(FileCheck& check) {
    namespace chakra = trace::chakra;
    const LoadedTraces loaded = load_traces({check.file, ""});
    const chakra::Findings findings =
        chakra::check_traces(loaded.set, loaded.faults, loaded.groups, loaded.coverage);
    for (const chakra::Finding& finding : findings.all()) {
        const chakra::Severity severity = chakra::severity(finding.kind);
        if (severity == chakra::Severity::note) continue;
        std::string line = fmt::format("{}: {}: {} ({} times): {}", check.file, name(severity),
                                       name(finding.kind), finding.count, meaning(finding.kind));
        if (!finding.examples.empty()) line += fmt::format("; the first: {}", finding.examples.front());
        (severity == chakra::Severity::error ? check.errors : check.warnings).push_back(std::move(line));
    }
}

/// Whether the extension is that of a program, never of YAML or a trace. XLA dumps its HLO as `.txt`.
bool is_program(const std::string& file) {
    constexpr std::array<std::string_view, 8> endings{".mlir", ".stablehlo", ".hlo", ".fx",
                                                      ".py",   ".log",       ".txt", ".gz"};
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return file.ends_with(ending); });
}

/// Checks whether the program can be read and simulated, and warns about assumptions that this requires.
void check_program(FileCheck& check) {
    const ir::Program program = ir::read_program(ir::Source::file(check.file));
    try {
        const frontend::Lowered lowered =
            frontend::lower(frontend::with_passes(frontend::for_one_device(program), {}), {});
        for (const frontend::Assumption& assumed : frontend::assumptions(program, lowered))
            check.warnings.push_back(
                fmt::format("{}: warning: {}", assumed.place(check.file), assumed.reason));
    } catch (const ir::ProgramError& error) {
        check.errors.push_back(fmt::format("{}:{}: error: {}", check.file, error.line(), error.reason()));
    } catch (const ModelError& error) {
        check.errors.push_back(fmt::format("{}: error: {}", check.file, error.what()));
    }
}

void check_by_kind(const Node& root, FileCheck& check, Diagnostics& diagnostics) {
    switch (check.kind) {
        case FileKind::sweep:
            return check_sweep(check.file, check);
        case FileKind::model:
            return check_model(check.file, diagnostics);
        case FileKind::template_file:
            static_cast<void>(frontend::read_template(root, diagnostics));
            return;
        case FileKind::device:
            return check_device(check, diagnostics);
        case FileKind::cluster:
            check_data<hardware::ClusterSpec>(check.file, "hardware/clusters", diagnostics);
            return;
        case FileKind::table:
            check_data<hardware::MeasuredTable>(check.file, "hardware/tables", diagnostics);
            return;
        case FileKind::learned:
            check_data<hardware::LearnedSpec>(check.file, "hardware/learned", diagnostics);
            return;
        case FileKind::foreign_costs: {
            ir::ForeignCosts ignored;
            return ir::read_foreign_costs(root, ignored, diagnostics);
        }
        case FileKind::trace:
        case FileKind::program:
        case FileKind::unknown:
            break;
    }
    diagnostics.error(root.location(), "",
                      "is not a sweep (axes), model (template), template (boundary), device (peak), cluster "
                      "(network), table (rows), learned kernels (trees, vector) or table of foreign costs "
                      "(flops): it has none of their keys");
}

}  // namespace

std::string_view name(FileKind kind) {
    constexpr std::array<std::string_view, 11> names{"sweep",   "model",   "template", "device",
                                                     "cluster", "table",   "learned",  "foreign costs",
                                                     "trace",   "program", "unknown"};
    return names[static_cast<std::size_t>(kind)];
}

FileKind kind_of(const Node& root, const std::string& file) {
    constexpr std::array<std::pair<const char*, FileKind>, 12> keys{{{"axes", FileKind::sweep},
                                                                     {"workload", FileKind::sweep},
                                                                     {"template", FileKind::model},
                                                                     {"boundary", FileKind::template_file},
                                                                     {"devices_per_node", FileKind::cluster},
                                                                     {"network", FileKind::cluster},
                                                                     {"device", FileKind::cluster},
                                                                     {"peak", FileKind::device},
                                                                     {"memory", FileKind::device},
                                                                     {"rows", FileKind::table},
                                                                     {"trees", FileKind::learned},
                                                                     {"vector", FileKind::learned}}};
    for (const auto& [key, kind] : keys) {
        if (root.find(key) != nullptr) return kind;
    }
    const auto states_flops = [](const Node::Entry& entry) { return entry.value.find("flops") != nullptr; };
    if (root.is_map() && std::any_of(root.entries().begin(), root.entries().end(), states_flops))
        return FileKind::foreign_costs;
    constexpr std::array<std::pair<const char*, FileKind>, 7> folders{{{"sweeps", FileKind::sweep},
                                                                       {"models", FileKind::model},
                                                                       {"templates", FileKind::template_file},
                                                                       {"devices", FileKind::device},
                                                                       {"clusters", FileKind::cluster},
                                                                       {"tables", FileKind::table},
                                                                       {"learned", FileKind::learned}}};
    const std::string folder = std::filesystem::absolute(file).parent_path().filename().string();
    for (const auto& [known, kind] : folders) {
        if (folder == known) return kind;
    }
    return FileKind::unknown;
}

FileCheck check_file(const std::string& file) {
    FileCheck check{file, FileKind::unknown, {}, {}};
    Diagnostics diagnostics;
    try {
        if (file.ends_with(".et")) {
            check.kind = FileKind::trace;
            check_trace(check);
            return check;
        }
        if (is_program(file)) {
            check.kind = FileKind::program;
            check_program(check);
            return check;
        }
        const Node root = config::load_yaml(file, diagnostics);
        if (diagnostics.ok() && root.is_null()) diagnostics.error(root.location(), "", "the file is empty");
        if (diagnostics.ok()) {
            check.kind = kind_of(root, file);
            check_by_kind(root, check, diagnostics);
        }
    } catch (const InputError& error) {
        for (std::string& line : lines_of(error.what())) check.errors.push_back(std::move(line));
    }
    for (std::string& line : lines_of(diagnostics.text())) {
        const bool warning = line.find(": warning: ") != std::string::npos;
        (warning ? check.warnings : check.errors).push_back(std::move(line));
    }
    return check;
}

}  // namespace dse::app
