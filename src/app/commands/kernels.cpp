#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/form_kernel.hpp"
#include "app/kernel_file.hpp"
#include "app/text_table.hpp"
#include "dse/base/error.hpp"
#include "dse/base/statistics.hpp"
#include "dse/config/file_name.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/hardware/device/rate_note.hpp"
#include "dse/model/compute/learned/kernel_time.hpp"
#include "dse/model/compute/learned/release_order.hpp"
#include "dse/model/compute/vector_time.hpp"

namespace dse::app {
namespace {

struct KernelsOptions {
    std::string file;
    std::string device;
    std::string learned;
    bool errors{false};
};

/// NaN: the device has no data for it.
struct KernelPrediction {
    double seconds{std::nan("")};
    double watts{std::nan("")};
};

/// Predicts single kernels of a device from what was learned about them, or, where nothing was, by the forms
/// of its own constants.
class KernelPredictor {
  public:
    KernelPredictor(const hardware::DeviceSpec& device, const hardware::LearnedSpec& learned)
        : kernels_{device, learned}, vector_{learned.vector}, has_vector_{learned.vector.exists()} {}
    explicit KernelPredictor(const hardware::DeviceSpec& device)
        : kernels_{device, hardware::LearnedSpec{}},
          vector_{hardware::VectorSpec{}},
          has_vector_{false},
          forms_{std::in_place, device} {}

    KernelPrediction operator()(const model::Kernel& kernel) const {
        KernelPrediction prediction;
        if (forms_) {
            if (const auto time = forms_->time(kernel)) prediction.seconds = time->value();
            return prediction;
        }
        if (const auto time = kernels_.time(kernel)) prediction.seconds = time->value();
        if (const auto power = kernels_.power(kernel)) prediction.watts = power->value();
        return prediction;
    }

    /// Why a row has no prediction, where its device or the forms are the reason. "" otherwise
    [[nodiscard]] std::string reason(const KernelRow& row) const {
        const auto* kernel = std::get_if<model::Kernel>(&row.kernel);
        if (kernel != nullptr) return forms_ ? forms_->missing(*kernel) : "";
        return forms_ || has_vector_ ? "" : "nothing was learned of its element-wise kernels";
    }
    [[nodiscard]] bool has_own_costs(const model::Kernel& kernel) const {
        return kernels_.has_own_costs(kernel);
    }
    [[nodiscard]] std::string release(const model::Kernel& kernel) const { return kernels_.release(kernel); }
    /// The release that a row asks for, if it is not to be found: its own, or that of the device's file.
    [[nodiscard]] std::string missing_release(const model::Kernel& kernel) const {
        if (kernel.release.empty()) return kernels_.unmeasured_release(kernel.library);
        return release(kernel) == kernel.release ? "" : kernel.release;
    }

    KernelPrediction operator()(const VectorKernel& kernel) const {
        if (forms_) return {forms_->time(kernel).value()};
        if (!has_vector_) return {};
        return {vector_(kernel.shape, kernel.operands, kernel.division).value()};
    }

  private:
    model::KernelTime kernels_;
    model::VectorTime vector_;
    bool has_vector_;
    std::optional<FormKernels> forms_;
};

/// What was learned of the device: what the user names, what has the device's name, or what its file names.
std::optional<hardware::LearnedSpec> learned_of(const KernelsOptions& options, const config::Library& library,
                                                const hardware::DeviceSpec& device) {
    const bool is_named = !options.learned.empty();
    const bool has_own =
        !config::is_path(options.device) && library.find("hardware/learned", options.device, "");
    if (is_named || has_own)
        return config::read_from_library<hardware::LearnedSpec>(
            library, "hardware/learned", is_named ? options.learned : options.device, "command line");
    if (device.learned.name.empty()) return std::nullopt;
    return device.learned;
}

std::string cell(double value) {
    return std::isnan(value) ? "" : fmt::format("{:.6g}", value);
}

void print_rows(const std::vector<KernelRow>& rows, const KernelPredictor& predict) {
    std::cout << "line,operator,predicted_seconds,predicted_watts,seconds,watts\n";
    for (const KernelRow& row : rows) {
        const KernelPrediction prediction = std::visit(predict, row.kernel);
        std::cout << fmt::format("{},{},{},{},{},{}\n", row.line, row.operator_name, cell(prediction.seconds),
                                 cell(prediction.watts), row.seconds > 0.0 ? cell(row.seconds) : "",
                                 row.watts > 0.0 ? cell(row.watts) : "");
    }
}

void add_errors(TextTable& table, const std::string& name, std::vector<double> errors) {
    std::vector<double> sizes(errors.size());
    std::ranges::transform(errors, sizes.begin(), [](double error) { return std::abs(error); });
    const auto percent = [](double share) { return fmt::format("{:.1f} %", share * 100.0); };
    table.add_row({name, fmt::format("{}", errors.size()), percent(percentile(sizes, 0.5)),
                   percent(mean(sizes)), percent(percentile(sizes, 0.9)), percent(percentile(errors, 0.5))});
}

void print_errors(const std::vector<KernelRow>& rows, const KernelPredictor& predict) {
    std::map<std::string, std::vector<double>> errors;
    std::int64_t unpredicted = 0;
    for (const KernelRow& row : rows) {
        const KernelPrediction prediction = std::visit(predict, row.kernel);
        if (row.seconds > 0.0 && std::isnan(prediction.seconds)) ++unpredicted;
        if (row.seconds > 0.0 && !std::isnan(prediction.seconds))
            errors[row.operator_name].push_back(prediction.seconds / row.seconds - 1.0);
        if (row.watts > 0.0 && !std::isnan(prediction.watts))
            errors[row.operator_name + ", watts"].push_back(prediction.watts / row.watts - 1.0);
    }
    if (unpredicted > 0)
        std::cerr << fmt::format(
            "dse: note: {} measured rows have no prediction: the device lacks their format, or knows nothing "
            "of "
            "their operator\n",
            unpredicted);
    if (errors.empty()) throw InputError("no row has both a measurement (seconds, watts) and a prediction");
    TextTable table;
    table.add_column("", TextTable::Align::left);
    for (const char* name : {"rows", "median", "mean", "p90", "bias"}) table.add_column(name);
    for (const auto& [name, of_name] : errors) add_errors(table, name, of_name);
    std::cout << table.text(2);
}

/// The peak that a device needs for a format, as its file calls it; empty: all have it.
std::string_view peak_of(model::OperandFormat format) {
    using model::OperandFormat;
    switch (format) {
        case OperandFormat::fp8:
        case OperandFormat::fp8_block:
        case OperandFormat::mxfp4_fp8:
            return "fp8";
        case OperandFormat::nvfp4:
            return "fp4";
        case OperandFormat::int8:
            return "int8";
        default:
            return {};
    }
}

/// Says which rows have a format that the device does not compute with.
void note_formats(const std::vector<KernelRow>& rows, const KernelPredictor& predict,
                  const hardware::DeviceSpec& device) {
    const std::map<std::string_view, FlopPerSecond> peaks{
        {"fp8", device.peak.fp8}, {"fp4", device.peak.fp4}, {"int8", device.peak.int8}};
    std::map<std::string_view, std::vector<int>> lines;
    for (const KernelRow& row : rows) {
        const auto* kernel = std::get_if<model::Kernel>(&row.kernel);
        const std::string_view peak = kernel != nullptr ? peak_of(kernel->format) : std::string_view{};
        if (!peak.empty() && !(peaks.at(peak) > FlopPerSecond{}) && !std::isnan(predict(*kernel).seconds))
            lines[peak].push_back(row.line);
    }
    for (const auto& [peak, found] : lines)
        std::cerr << fmt::format(
            "dse: note: {} has no matrix units for {}: {} of {} rows (the first on line {}) are predicted at "
            "the rate of 16 bits, with operands of {}\n",
            device.name, peak, found.size(), rows.size(), found.front(), peak);
}

/// Says which rows have no prediction because the device, or the forms of its constants, say nothing of them.
void note_reasons(const std::vector<KernelRow>& rows, const KernelPredictor& predict) {
    std::map<std::string, std::vector<int>> lines;
    for (const KernelRow& row : rows)
        if (std::string reason = predict.reason(row); !reason.empty())
            lines[std::move(reason)].push_back(row.line);
    for (const auto& [reason, found] : lines)
        std::cerr << fmt::format(
            "dse: note: not predicted: {} of {} rows (the first on line {}), because {}\n", found.size(),
            rows.size(), found.front(), reason);
}

/// Says which rows are predicted without kernels of their library and format.
void note_costs(const std::vector<KernelRow>& rows, const KernelPredictor& predict, const std::string& name) {
    std::vector<int> lines;
    for (const KernelRow& row : rows) {
        const auto* kernel = std::get_if<model::Kernel>(&row.kernel);
        if (kernel != nullptr && !std::isnan(predict(*kernel).seconds) && !predict.has_own_costs(*kernel))
            lines.push_back(row.line);
    }
    if (lines.empty()) return;
    std::cerr << fmt::format(
        "dse: note: {} of {} rows (the first on line {}) are of a library and format (in attention: of a "
        "cache and window) in which few or none of their operator's kernels were measured on {}: they are "
        "predicted from the others\n",
        lines.size(), rows.size(), lines.front(), name);
}

/// Says which rows are predicted as kernels of another release than they state, or not at all for want of
/// their library.
void note_releases(const std::vector<KernelRow>& rows, const KernelPredictor& predict,
                   const std::string& name) {
    std::map<std::pair<std::string, std::string>, std::vector<int>> lines;
    for (const KernelRow& row : rows) {
        const auto* kernel = std::get_if<model::Kernel>(&row.kernel);
        if (kernel == nullptr) continue;
        const std::string missing = predict.missing_release(*kernel);
        const bool none = std::isnan(predict(*kernel).seconds);
        if (!none && missing.empty()) continue;
        const std::string& asked = missing.empty() ? kernel->release : missing;
        const std::string stated =
            fmt::format("{}{}{}", choice_names(kernel->library)[static_cast<std::size_t>(kernel->library)],
                        asked.empty() ? "" : " ", asked);
        lines[{stated, none ? "" : predict.release(*kernel)}].push_back(row.line);
    }
    for (const auto& [pair, found] : lines) {
        const std::string as =
            pair.second.empty() ? "are not predicted" : "are predicted as of " + pair.second;
        std::cerr << fmt::format(
            "dse: note: not measured on {}: {}, in {} of {} rows (the first on line {}), which {}\n", name,
            pair.first, found.size(), rows.size(), found.front(), as);
    }
}

/// Says which rows are predicted with the time of a host, since no graph was replayed when they were
/// measured. Source: collector/vllm/collect_gemm.py of ai-dynamo/aiconfigurator 095f58a51c4c; small products
/// take 60 to 340 us in vLLM 0.22.0 and later, whatever the GPU
void note_host(const std::vector<KernelRow>& rows, const KernelPredictor& predict) {
    std::vector<int> lines;
    for (const KernelRow& row : rows) {
        const auto* kernel = std::get_if<model::Kernel>(&row.kernel);
        if (kernel == nullptr || kernel->kind != model::KernelKind::gemm ||
            kernel->library != model::KernelLibrary::vllm ||
            kernel->format != model::OperandFormat::fp8_block)
            continue;
        const std::string release = predict.release(*kernel);
        if (!release.empty() && !model::release_before(release, "0.22.0")) lines.push_back(row.line);
    }
    if (lines.empty()) return;
    std::cerr << fmt::format(
        "dse: note: {} of {} rows (the first on line {}) are predicted as a host launched them, one by one: "
        "vLLM's products in fp8_block were measured without CUDA graphs from 0.22 on (release 0.19.0 has "
        "them in graphs)\n",
        lines.size(), rows.size(), lines.front());
}

ExitCode kernels(const KernelsOptions& options) {
    const config::Library library = config::Library::standard("");
    const auto device = config::read_from_library<hardware::DeviceSpec>(library, "hardware/devices",
                                                                        options.device, "command line");
    if (const std::string note = hardware::rate_note(device); !note.empty())
        std::cerr << fmt::format("dse: note: {}\n", note);
    const auto learned = learned_of(options, library, device);
    if (!learned)
        std::cerr << fmt::format(
            "dse: note: nothing was learned of the kernels of {}: they are predicted by the forms of its own "
            "constants, as by compute model roofline (--learned any_gpu, any_gpu_mma_sync or "
            "any_gpu_tcgen05: by what GPUs with such tensor cores have in common)\n",
            options.device);
    const KernelPredictor predict = learned ? KernelPredictor{device, *learned} : KernelPredictor{device};
    config::Diagnostics diagnostics;
    const std::vector<KernelRow> rows = read_kernels(options.file, diagnostics);
    diagnostics.throw_if_any();
    if (const std::string warnings = diagnostics.text(); !warnings.empty()) std::cerr << warnings << "\n";
    note_formats(rows, predict, device);
    note_reasons(rows, predict);
    if (learned) {
        note_releases(rows, predict, learned->name);
        note_costs(rows, predict, learned->name);
        note_host(rows, predict);
    }
    if (options.errors) {
        print_errors(rows, predict);
    } else {
        print_rows(rows, predict);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_kernels(CLI::App& app) {
    const auto options = std::make_shared<KernelsOptions>();
    app.add_option("file", options->file, "CSV: operator, sizes and measurements (docs/compute.md)")
        ->required()
        ->type_name("FILE.csv");
    app.add_option("--device", options->device, "a file of hardware/devices (see dse list devices)")
        ->required()
        ->type_name("NAME");
    app.add_option("--learned", options->learned,
                   "a file of hardware/learned, as any_gpu (default: that of the device, or without one the "
                   "forms of its constants)")
        ->type_name("NAME");
    app.add_flag("--errors", options->errors, "print errors by operator instead of rows");
    return [options] { return kernels(*options); };
}

}  // namespace dse::app
