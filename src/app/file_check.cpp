#include "app/file_check.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "app/table_check.hpp"
#include "app/trace_arguments.hpp"
#include "dse/base/error.hpp"
#include "dse/config/library.hpp"
#include "dse/config/merge.hpp"
#include "dse/config/outline.hpp"
#include "dse/config/reader.hpp"
#include "dse/eval/error_table.hpp"
#include "dse/eval/load_sweep.hpp"
#include "dse/eval/validation/energy_row.hpp"
#include "dse/eval/validation/serving_facts.hpp"
#include "dse/eval/validation/truth_source.hpp"
#include "dse/frontend/lowering/assumptions.hpp"
#include "dse/frontend/lowering/lower.hpp"
#include "dse/frontend/lowering/prepare.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/frontend/template/template_source.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/hardware/device/rate_note.hpp"
#include "dse/ir/program/cost/foreign_costs_yaml.hpp"
#include "dse/ir/program/program_error.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "dse/model/compute/learned/kernel_time.hpp"
#include "dse/space/space_count.hpp"
#include "dse/synth/family.hpp"

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

/// A base of devices, as heirs with any datasheet read it.
void check_device_base(const std::string& file, Diagnostics& diagnostics) {
    const Node heir = config::parse_yaml(
        "{name: heir, peak: {fp32: 1 TFLOPS}, memory: {capacity: 1 GB, bandwidth: 1 GB/s}}", file,
        diagnostics);
    const config::Library library = config::Library::standard(file);
    const auto base = library.load("hardware/devices", Node::scalar(as_path(file), "", file), diagnostics);
    hardware::DeviceSpec device;
    if (base) config::read_struct(config::merged(*base, heir), device, &library, diagnostics);
}

void check_device(FileCheck& check, Diagnostics& diagnostics) {
    if (is_base(check.file)) return check_device_base(check.file, diagnostics);
    const auto device = check_data<hardware::DeviceSpec>(check.file, "hardware/devices", diagnostics);
    const std::string note = diagnostics.ok() ? hardware::rate_note(device) : "";
    if (!note.empty()) check.warnings.push_back(fmt::format("{}: warning: {}", check.file, note));
}

void check_model(const std::string& file, Diagnostics& diagnostics) {
    frontend::TemplateFrontend frontend{config::Library::standard(file)};
    frontend.check_model(as_path(file), {}, diagnostics);
}

/// Also checks that its values do not contradict each other, as far as that does not depend on a sweep.
void check_stack(FileCheck& check, Diagnostics& diagnostics) {
    const auto stack = check_data<graph::NamedStack>(check.file, "workloads/stacks", diagnostics);
    if (!diagnostics.ok()) return;
    try {
        graph::require_valid(stack.values);
        graph::require_none(graph::conflicts_of(stack.engine));
    } catch (const ModelError& error) {
        check.errors.push_back(fmt::format("{}: error: {}", check.file, error.what()));
    }
}

/// Number of keys of a section that a struct does not have.
template <class Struct>
std::size_t unknown_keys(const Node& section) {
    const std::vector<config::Outline> members = config::outline_of<Struct>();
    return static_cast<std::size_t>(std::ranges::count_if(section.entries(), [&](const Node::Entry& entry) {
        return entry.key != "base" &&
               std::ranges::find(members, entry.key, &config::Outline::name) == members.end();
    }));
}

/// A section is of the kind that knows most of its keys; errors in it are those of that kind.
void check_components(const Node& root, const std::string& file, Diagnostics& diagnostics) {
    const config::Library library = config::Library::standard(file);
    const auto read = [&]<class Struct>(Struct part, const Node& section) {
        if (const auto whole = library.resolve("hardware/energy", section, diagnostics))
            config::read_struct(*whole, part, &library, diagnostics);
    };
    for (const Node::Entry& entry : root.entries()) {
        const std::size_t power = unknown_keys<hardware::PowerSpec>(entry.value);
        const std::size_t host = unknown_keys<hardware::HostSpec>(entry.value);
        const std::size_t facility = unknown_keys<hardware::FacilitySpec>(entry.value);
        if (power <= host && power <= facility) {
            read(hardware::PowerSpec{}, entry.value);
        } else if (host <= facility) {
            read(hardware::HostSpec{}, entry.value);
        } else {
            read(hardware::FacilitySpec{}, entry.value);
        }
    }
}

/// A learned file, and its trees, which other commands read only when they need them: for any device.
void check_learned(FileCheck& check, Diagnostics& diagnostics) {
    const std::string& file = check.file;
    const auto learned = check_data<hardware::LearnedSpec>(file, "hardware/learned", diagnostics);
    if (!learned.trees || !diagnostics.ok()) return;
    hardware::DeviceSpec device;
    device.peak.bf16 = FlopPerSecond{1e12};
    const model::KernelTime kernels{device, learned};
    const auto libraries = choice_names(model::KernelLibrary{});
    for (std::size_t i = 0; i < libraries.size(); ++i) {
        model::Kernel kernel;
        kernel.library = static_cast<model::KernelLibrary>(i);
        const std::string missing = kernels.unmeasured_release(kernel.library);
        if (!missing.empty())
            check.warnings.push_back(
                fmt::format("{}: warning: releases: {} {} was not measured; kernels without a release are "
                            "predicted as of {}",
                            file, libraries[i], missing, kernels.release(kernel)));
    }
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

bool ends_with_any(const std::string& file, std::span<const std::string_view> endings) {
    return std::ranges::any_of(endings, [&](std::string_view ending) { return file.ends_with(ending); });
}

/// Whether the extension is that of a program, never of YAML or a trace. XLA dumps its HLO as `.txt`.
bool is_program(const std::string& file) {
    constexpr std::array<std::string_view, 8> endings{".mlir", ".stablehlo", ".hlo", ".fx",
                                                      ".py",   ".log",       ".txt", ".gz"};
    return ends_with_any(file, endings);
}

/// Whether the extension is that of requests. Of compressed tables only theirs are read.
bool is_request_trace(const std::string& file) {
    constexpr std::array<std::string_view, 3> endings{".jsonl", ".jsonl.gz", ".csv.gz"};
    return ends_with_any(file, endings);
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

void check_error_bars(const Node& root, Diagnostics& diagnostics) {
    if (root.find("first_token") != nullptr) {
        eval::ServingErrors errors;
        return config::read_struct(root, errors, nullptr, diagnostics);
    }
    eval::ErrorTable errors;
    config::read_struct(root, errors, nullptr, diagnostics);
}

/// What a file is that other commands read or write; nullptr if that is not known either.
const char* other_kind(const Node& root) {
    if (root.find("$schema") != nullptr)
        return "is a JSON Schema (dse schema), with which editors check inputs, not an input itself";
    if (root.find("model_type") != nullptr || root.find("architectures") != nullptr)
        return "is a published configuration of a model: dse import converts it to a model file";
    return nullptr;
}

/// Says why this is not a file that can be checked.
void refuse_kind(const Node& root, const std::string& file, Diagnostics& diagnostics) {
    if (const char* other = other_kind(root); other != nullptr) {
        diagnostics.error(root.location(), "", other);
        return;
    }
    if (const std::string base = missing_base(root, file); !base.empty()) {
        diagnostics.error(root.find("base")->location(), "", base);
        return;
    }
    diagnostics.error(root.location(), "",
                      fmt::format("is of no known kind (it has no key of a {})", kinds_and_keys()));
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
        case FileKind::stack:
            return check_stack(check, diagnostics);
        case FileKind::components:
            return check_components(root, check.file, diagnostics);
        case FileKind::sources:
            static_cast<void>(eval::read_truth_sources(root, diagnostics));
            return eval::require_files(root, config::Library::standard(check.file), diagnostics);
        case FileKind::serving_facts:
            static_cast<void>(eval::read_serving_facts(root, diagnostics));
            return;
        case FileKind::energy_facts:
            static_cast<void>(eval::read_energy_facts(root, diagnostics));
            return;
        case FileKind::error_bars:
            return check_error_bars(root, diagnostics);
        case FileKind::table:
            check_data<hardware::MeasuredTable>(check.file, "hardware/tables", diagnostics);
            return;
        case FileKind::learned:
            return check_learned(check, diagnostics);
        case FileKind::foreign_costs: {
            ir::ForeignCosts ignored;
            return ir::read_foreign_costs(root, ignored, diagnostics);
        }
        case FileKind::measurements:
        case FileKind::left_out:
        case FileKind::throughputs:
        case FileKind::row_errors:
        case FileKind::unknown_errors:
        case FileKind::kernels:
        case FileKind::requests:
        case FileKind::family:
        case FileKind::trace:
        case FileKind::program:
        case FileKind::unknown:
            break;
    }
    refuse_kind(root, check.file, diagnostics);
}

/// A file of YAML is read once for its kind, and again by the reader of that kind.
/// \throws InputError for what can be read only once
void require_reread(const std::string& file) {
    std::error_code ignored;
    if (std::filesystem::status(file, ignored).type() == std::filesystem::file_type::fifo)
        throw InputError(fmt::format(
            "{}: error: is a pipe, which can be read only once (write it to a file; dse plan reads "
            "sweeps from pipes)",
            file));
}

void check_yaml(FileCheck& check, Diagnostics& diagnostics) {
    const Node root = config::load_yaml(check.file, diagnostics);
    if (diagnostics.ok() && root.is_null()) diagnostics.error(root.location(), "", "the file is empty");
    if (!diagnostics.ok()) return;
    check.kind = kind_of(root, check.file);
    check_by_kind(root, check, diagnostics);
}

}  // namespace

FileCheck check_file(const std::string& file) {
    FileCheck check{file, FileKind::unknown, {}, {}};
    Diagnostics diagnostics;
    try {
        if (file.ends_with(".et")) {
            check.kind = FileKind::trace;
            check_trace(check);
            return check;
        }
        if (is_request_trace(file)) {
            check_requests(check);
            return check;
        }
        if (is_program(file)) {
            check.kind = FileKind::program;
            check_program(check);
            return check;
        }
        if (file.ends_with(".csv")) {
            check_table(check, diagnostics);
        } else if (file.ends_with(".trees")) {
            check.kind = FileKind::learned;
            static_cast<void>(hardware::read_trees(file, diagnostics));
        } else if (file.ends_with(".model")) {
            check.kind = FileKind::family;
            static_cast<void>(synth::read_family(file));
        } else if (file.ends_with(".h5")) {
            throw InputError(
                file + ": error: is a results file, not an input (dse best, pareto and report read it)");
        } else {
            require_reread(file);
            check_yaml(check, diagnostics);
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
