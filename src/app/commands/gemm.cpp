#include <cmath>
#include <iostream>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/convolution.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/number_between.hpp"
#include "app/output_width.hpp"
#include "app/text_table.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/device/rate_note.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/model/registry.hpp"

namespace dse::app {
namespace {

/// Validates a size: a whole number, which may be written as 1e6.
std::string refusal_of_fractions(const std::string& text) {
    double value = 0.0;
    if (!CLI::detail::lexical_cast(text, value)) return "";
    if (std::isnan(value)) return text + " is not a number";
    return value == std::floor(value) ? "" : text + " is not a whole number";
}

struct GemmOptions {
    double m{0};
    double n{0};
    double k{0};
    double batch{1};
    std::vector<double> convolution;  ///< N, H, W, C, K, R, S; empty: a product
    Convolution window;               ///< its stride, padding and groups
    std::string device;
    std::string precision{"bf16"};
    bool json{false};
};

graph::Precision precision_of(const std::string& name) {
    const auto names = graph::choice_names(graph::Precision{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<graph::Precision>(i);
    }
    throw InputError(
        fmt::format("unknown precision '{}'{}", name, suggestion(name, {names.begin(), names.end()})));
}

graph::Compute convolution(const GemmOptions& options) {
    Convolution convolution = options.window;
    const std::vector<double>& sizes = options.convolution;
    convolution.images = sizes[0];
    convolution.height = sizes[1];
    convolution.width = sizes[2];
    convolution.channels = sizes[3];
    convolution.filters = sizes[4];
    convolution.filter_height = sizes[5];
    convolution.filter_width = sizes[6];
    return work_of(convolution, precision_of(options.precision));
}

graph::Compute product(const GemmOptions& options) {
    graph::Compute work;
    work.op_class = graph::OpClass::gemm;
    work.precision = precision_of(options.precision);
    work.gemm = {options.batch, options.m, options.n, options.k};
    work.model_flop = Flop{2.0 * options.batch * options.m * options.n * options.k};
    work.executed_flop = work.model_flop;
    const Bytes element = graph::bytes_of(work.precision);
    work.read = element * (options.batch * options.k * (options.m + options.n));
    work.written = element * (options.batch * options.m * options.n);
    return work;
}

struct GemmPrediction {
    std::string model;
    double time{metrics::not_a_number};
    double cycles{metrics::not_a_number};
    std::string remark;  ///< basis of the prediction, or why there is none
};

std::vector<GemmPrediction> predict(const graph::Compute& work, const hardware::DeviceSpec& device) {
    std::vector<GemmPrediction> rows;
    for (const auto& row : model::compute_models().rows()) {
        GemmPrediction& prediction = rows.emplace_back();
        prediction.model = row.name;
        try {
            const model::Account account = row.make(device, Seconds{})->account(work);
            prediction.time = account.time.value();
            prediction.cycles = account.cycles;
            prediction.remark = account.remark;
        } catch (const ModelError& error) {
            prediction.remark = error.what();
        }
    }
    return rows;
}

void print_rows(const std::vector<GemmPrediction>& rows, const graph::Compute& work,
                const GemmOptions& options, const hardware::DeviceSpec& device) {
    const graph::GemmShape& shape = work.gemm;
    std::cout << fitted_lines(fmt::format("{} x ({} x {}) ({} x {}), {}, on {}: {:.4g} FLOP\n", shape.batch,
                                          shape.m, shape.k, shape.k, shape.n, options.precision, device.name,
                                          work.executed_flop.value()));
    TextTable table;
    table.add_column("model", TextTable::Align::left);
    table.add_column("time");
    table.add_column("TFLOP/s");
    table.add_column("cycles");
    table.add_column("", TextTable::Align::left);
    for (const GemmPrediction& row : rows) {
        table.add_row(
            {row.model, human_seconds(row.time),
             std::isnan(row.time) ? "" : fmt::format("{:.1f}", work.executed_flop.value() / row.time / 1e12),
             std::isnan(row.cycles) ? "" : fmt::format("{:.0f}", row.cycles), row.remark});
    }
    std::cout << table.text(2);
    if (const std::string note = hardware::rate_note(device); !note.empty())
        std::cout << fitted_lines(fmt::format("note: {}\n", note));
}

ExitCode gemm(const GemmOptions& options) {
    const hardware::DeviceSpec device = config::read_from_library<hardware::DeviceSpec>(
        config::Library::standard(""), "hardware/devices", options.device, "command line");
    const graph::Compute work = options.convolution.empty() ? product(options) : convolution(options);
    const std::vector<GemmPrediction> rows = predict(work, device);
    if (!options.json) {
        print_rows(rows, work, options, device);
        return ExitCode::ok;
    }
    Json json = json_object();
    json["device"] = device.name;
    json["flop"] = work.executed_flop.value();
    json["product"] = {
        {"batch", work.gemm.batch}, {"m", work.gemm.m}, {"n", work.gemm.n}, {"k", work.gemm.k}};
    json["rows"] = Json::array();
    for (const GemmPrediction& row : rows) {
        Json entry{{"model", row.model}, {"time", row.time}};
        if (!std::isnan(row.cycles)) entry["cycles"] = row.cycles;
        if (!row.remark.empty()) entry[std::isnan(row.time) ? "reason" : "remark"] = row.remark;
        json["rows"].push_back(std::move(entry));
    }
    print_json(json);
    return ExitCode::ok;
}

/// Options for the shape: the three sizes of a product, or the seven of a convolution.
void declare_shape(CLI::App& app, GemmOptions& options) {
    const auto whole = [](CLI::Option* option, double least) {
        return option->check(number_between(least, 1e12) & CLI::Validator(refusal_of_fractions, ""));
    };
    const auto dimension = [&](const char* name, double& target, const char* help, double least = 1.0) {
        return whole(app.add_option(name, target, help), least);
    };
    CLI::Option* m = dimension("m", options.m, "rows of the result")->type_name("M");
    CLI::Option* n = dimension("n", options.n, "columns of the result")->type_name("N")->needs(m);
    CLI::Option* k = dimension("k", options.k, "inner dimension")->type_name("K")->needs(n);
    CLI::Option* batch = dimension("--batch", options.batch, "number of products")->type_name("B")->needs(k);
    CLI::Option* convolution =
        whole(app.add_option("--convolution", options.convolution,
                             "instead of a product: number of images, their height, width and channels, "
                             "number of filters, their height and width"),
              1.0)
            ->delimiter(',')
            ->expected(7)
            ->type_name("N,H,W,C,K,R,S")
            ->excludes(m)
            ->excludes(batch);
    const auto of_window = [&](const char* name, double& target, const char* help, double least = 1.0) {
        dimension(name, target, help, least)->needs(convolution);
    };
    of_window("--stride", options.window.stride, "of the filters (default 1)");
    of_window("--padding", options.window.padding, "on each side of the image (default 0)", 0.0);
    of_window("--groups", options.window.groups, "of channels and filters (default 1)");
    app.callback([m, k, convolution] {
        if (convolution->count() == 0 && k->count() == 0)
            throw CLI::RequiredError(m->count() == 0 ? "m n k (or --convolution)" : "k");
    });
}

}  // namespace

Action declare_gemm(CLI::App& app) {
    const auto options = std::make_shared<GemmOptions>();
    declare_shape(app, *options);
    app.add_option("--device", options->device, "a file of hardware/devices (see dse list devices)")
        ->required()
        ->type_name("NAME");
    app.add_option("--precision", options->precision, "number format (default bf16)")->type_name("FORMAT");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return gemm(*options); };
}

}  // namespace dse::app
