#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command.hpp"
#include "app/python.hpp"
#include "app/unsealed.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

struct ReportOptions {
    std::string file;
    std::filesystem::path output;
    results::Trust trust{results::Trust::sealed};
};

constexpr std::array formats{".png", ".pdf", ".svg", ".html"};

/// What the analysis imports: matplotlib draws pictures, plotly brings the scripts of a page.
std::vector<std::string> packages_for(const std::filesystem::path& output) {
    return {"h5py", "pandas", output.extension() == ".html" ? "plotly" : "matplotlib"};
}

ExitCode report(ReportOptions& options) {
    if (options.output.empty()) {
        options.output = options.file;
        options.output.replace_extension(formats.front());
    } else if (std::find(formats.begin(), formats.end(), options.output.extension()) == formats.end()) {
        throw InputError(fmt::format("cannot draw '{}': reports end in {}", options.output.string(),
                                     fmt::join(formats, ", ")));
    }
    const results::ResultsReader reader{options.file, results::ResultsReader::Extent::finished,
                                        options.trust};
    warn_if_unsealed(reader.columns(), options.file);  // and whatever else is wrong with it shows here
    std::vector<std::string> arguments{"-m",        "dse_analysis", options.file,
                                       "--summary", "-o",           options.output.string()};
    if (options.trust == results::Trust::unsealed) arguments.emplace_back("--unsealed");
    return run_python(packages_for(options.output), arguments);
}

}  // namespace

Action declare_report(CLI::App& app) {
    const auto options = std::make_shared<ReportOptions>();
    app.add_option("file", options->file, "results of a finished sweep")->required()->type_name("FILE.h5");
    app.add_option("-o,--output", options->output,
                   "picture to write (.png, .pdf, .svg), or interactive page (.html); by default a "
                   "picture beside the results")
        ->type_name("FILE.png");
    add_unsealed(app, options->trust);
    return [options] { return report(*options); };
}

}  // namespace dse::app
