#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "app/csv.hpp"
#include "app/force.hpp"
#include "app/python.hpp"
#include "app/result_columns.hpp"
#include "app/unsealed.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

struct ExportOptions {
    std::string file;
    std::string output;
    bool csv{false};
    bool parquet{false};
    results::Trust trust{results::Trust::sealed};
    Existing existing{Existing::refuse};
};

void write_rows(std::ostream& stream, results::ResultsReader reader) {
    write_csv_heading(stream, reader.columns());
    reader.each([&](const results::Table& block) { write_csv_rows(stream, block, first_rows(block)); });
    stream.flush();
}

void export_csv(const ExportOptions& options) {
    results::ResultsReader reader{options.file, results::ResultsReader::Extent::so_far, options.trust};
    warn_if_unsealed(reader.columns(), options.file);
    if (options.output.empty()) return write_rows(std::cout, std::move(reader));
    require_another(options.output, options.file);
    OutputFile file{options.output, options.existing};
    write_rows(file.stream(), std::move(reader));
    file.close();
}

/// Parquet is written by Python, because the machines on which dse runs have no C++ library for it.
ExitCode export_parquet(const ExportOptions& options) {
    if (options.output.empty()) throw InputError("--parquet needs a file to write (-o FILE.parquet)");
    const results::ResultsReader reader{options.file, results::ResultsReader::Extent::finished,
                                        options.trust};
    warn_if_unsealed(reader.columns(), options.file);  // the reader has reported any other error
    require_another(options.output, options.file);
    require_writable(options.output, options.existing);
    std::vector<std::string> arguments{"-m", "dse_analysis.parquet", options.file, options.output};
    if (options.trust == results::Trust::unsealed) arguments.emplace_back("--unsealed");
    return run_python({"h5py", "pandas", "pyarrow"}, arguments);
}

ExitCode export_rows(const ExportOptions& options) {
    const std::string suffix = std::filesystem::path{options.output}.extension().string();
    if (options.parquet || (!options.csv && suffix == ".parquet")) return export_parquet(options);
    if (!options.csv && suffix != ".csv") throw InputError("choose a format: --csv or --parquet");
    export_csv(options);
    return ExitCode::ok;
}

}  // namespace

Action declare_export(CLI::App& app) {
    const auto options = std::make_shared<ExportOptions>();
    app.add_option("file", options->file, "results of a sweep")->required()->type_name("FILE.h5");
    CLI::Option* csv = app.add_flag("--csv", options->csv, "comma-separated values, SI units");
    app.add_flag("--parquet", options->parquet, "Apache Parquet (needs Python with pyarrow)")->excludes(csv);
    app.add_option("-o,--output", options->output,
                   "file to write; --csv without it writes to standard output")
        ->type_name("FILE");
    add_unsealed(app, options->trust);
    add_force(app, options->existing);
    return [options] { return export_rows(*options); };
}

}  // namespace dse::app
