#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/force.hpp"
#include "app/kernel_file.hpp"
#include "app/number_between.hpp"
#include "app/python.hpp"
#include "dse/base/error.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/hardware/device/device_spec.hpp"

namespace dse::app {
namespace {

struct FitOptions {
    std::string device;
    std::vector<std::string> kernels;
    std::vector<std::string> logs;
    std::string collective;
    double link{0};  ///< GB/s
    std::filesystem::path output;
    Existing existing{Existing::refuse};
};

/// Reads the rows here as well, to report errors with their line.
void check_rows(const FitOptions& options) {
    config::Diagnostics diagnostics;
    for (const std::string& file : options.kernels) {
        const auto rows = read_kernels(file, diagnostics);
        const auto untimed = [](const KernelRow& row) { return row.seconds <= 0.0; };
        const auto missing = [&](int line, const char* message) {
            diagnostics.error(config::Location{std::make_shared<const std::string>(file), line, 1}, "seconds",
                              message);
        };
        if (std::ranges::all_of(rows, untimed)) {
            if (!rows.empty())
                missing(1, "no row has a measured time (column seconds, milliseconds or microseconds)");
            continue;
        }
        for (const KernelRow& row : rows) {
            if (untimed(row)) missing(row.line, "missing (a fit needs measured times: leave such rows out)");
        }
    }
    diagnostics.throw_if_any();
}

FlopPerSecond peak_of(const hardware::DeviceSpec& device) {
    return std::max(device.peak.bf16, device.peak.fp16);
}

/// Rates of formats that are not of 16 bits, as JSON.
std::string rates_of(const hardware::PrecisionRates& rates) {
    return fmt::format(R"({{"fp32": {}, "tf32": {}, "fp8": {}, "fp4": {}, "int8": {}}})", rates.fp32.value(),
                       rates.tf32.value(), rates.fp8.value(), rates.fp4.value(), rates.int8.value());
}

/// The constants that a fit begins from, as dse_analysis.device_kernels names them.
std::string constants_of(const hardware::DeviceSpec& device) {
    const hardware::MatmulSpec& matmul = device.matmul;
    const hardware::AttentionSpec& attention = device.attention;
    const FlopPerSecond measured = std::max(matmul.sustained.bf16, matmul.sustained.fp16);
    // Without a measured rate or a share of it, the perfect machine's peak is no beginning.
    const double share = matmul.peak_share < 1.0 ? matmul.peak_share : 0.0;
    const double largest = measured > FlopPerSecond{} ? measured.value() : share * peak_of(device).value();
    return fmt::format(
        R"({{"sustained": {}, "memory_efficiency": {}, "area": {}, "depth": {}, "sharpness": {}, "split_outputs": {}, "latency": {}, )"
        R"("attention": {}, "head_dim_half": {}, "sequence_half": {}, "elementwise": {}, "gemm": {}, "narrow_factor": {}, )"
        R"("rates": {}, "peaks": {}}})",
        largest * device.efficiency.gemm, matmul.memory_efficiency, matmul.area, matmul.depth,
        matmul.sharpness, matmul.split_outputs, device.kernel_latency.value(),
        attention.efficiency < 1.0 ? attention.efficiency : 0.0, attention.head_dim_half,
        attention.sequence_half, device.efficiency.elementwise, device.efficiency.gemm, matmul.narrow_factor,
        rates_of(matmul.sustained), rates_of(device.peak));
}

ExitCode fit(FitOptions& options) {
    if (options.kernels.empty() && options.logs.empty())
        throw InputError("nothing to fit (--gemm, --attention, --elementwise or --nccl names measurements)");
    if (!options.kernels.empty() && !options.logs.empty())
        throw InputError(
            "kernels are fitted to a device file, logs to the network of a cluster: run dse fit once for "
            "each, with an --output of its own");
    check_rows(options);
    const auto device = config::read_from_library<hardware::DeviceSpec>(
        config::Library::standard(""), "hardware/devices", options.device, "command line");
    require_free(options.output, options.existing);
    std::vector<std::string> arguments{"-m",          "dse_analysis.fit_device",
                                       "--output",    options.output.string(),
                                       "--base",      options.device,
                                       "--bandwidth", fmt::format("{}", device.memory.sustained().value()),
                                       "--rate",      fmt::format("{}", peak_of(device).value()),
                                       "--constants", constants_of(device)};
    for (const std::string& file : options.kernels) arguments.insert(arguments.end(), {"--kernels", file});
    for (const std::string& file : options.logs) arguments.insert(arguments.end(), {"--nccl", file});
    if (!options.collective.empty()) arguments.insert(arguments.end(), {"--collective", options.collective});
    if (options.link > 0.0) arguments.insert(arguments.end(), {"--link", fmt::format("{}", options.link)});
    return run_python({"numpy", "pandas"}, arguments);
}

}  // namespace

Action declare_fit(CLI::App& app) {
    const auto options = std::make_shared<FitOptions>();
    app.add_option("device", options->device, "a file of hardware/devices to start from (its datasheet)")
        ->required()
        ->type_name("DEVICE");
    const auto rows = [&](const char* name, const char* help) {
        app.add_option_function<std::string>(
               name, [options](const std::string& file) { options->kernels.push_back(file); }, help)
            ->type_name("ROWS.csv");
    };
    rows("--gemm", "measured products (the rows that dse kernels reads)");
    rows("--attention", "measured times of attention");
    rows("--elementwise", "measured times of element-wise kernels");
    app.add_option("--nccl", options->logs, "output of nccl-tests; several files for several group sizes")
        ->type_name("LOG.txt");
    app.add_option("--collective", options->collective,
                   "collective of the logs, if they do not state it: all_reduce, all_gather, reduce_scatter, "
                   "all_to_all")
        ->check(CLI::IsMember({"all_reduce", "all_gather", "reduce_scatter", "all_to_all"}));
    app.add_option("--link", options->link,
                   "link bandwidth of the measured machine, in GB/s per device and direction")
        ->check(number_between(1e-3, 1e6))
        ->type_name("GBPS");
    app.add_option("-o,--output", options->output,
                   "device file to write (from logs alone: a network section)")
        ->required()
        ->type_name("FILE.yaml");
    add_force(app, options->existing);
    return [options] { return fit(*options); };
}

}  // namespace dse::app
