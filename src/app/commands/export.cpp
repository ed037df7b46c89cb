#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/csv.hpp"
#include "app/python.hpp"
#include "app/unsealed.hpp"
#include "dse/results/hdf5_reader.hpp"

namespace dse::app {
namespace {

struct ExportOptions {
    std::string file;
    std::string output;
    bool csv{false};
    bool parquet{false};
    results::Trust trust{results::Trust::sealed};
};

void export_csv(const ExportOptions& options) {
    const results::Table table = results::read_so_far(options.file, options.trust);
    warn_if_unsealed(table, options.file);
    std::vector<std::size_t> rows(table.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (options.output.empty()) {
        write_csv(std::cout, table, rows);
        std::cout.flush();
        if (!std::cout) throw InputError("cannot write the rows to standard output");
        return;
    }
    std::ofstream stream(options.output, std::ios::binary);
    write_csv(stream, table, rows);
    stream.flush();
    if (!stream) throw InputError(fmt::format("cannot write '{}'", options.output));
}

/// Parquet is Python's: no C++ library of it is to be had on the machines that dse runs on.
ExitCode export_parquet(const ExportOptions& options) {
    if (options.output.empty()) throw InputError("--parquet needs a file to write (-o FILE.parquet)");
    const results::Table table = results::read_results(options.file, options.trust);  // its defects show here
    warn_if_unsealed(table, options.file);
    const std::string code =
        "import sys\n"
        "from dse_analysis.results import read_results\n"
        "table = read_results(sys.argv[1], unsealed=len(sys.argv) > 3)\n"
        "if table.attrs['unsealed']: table['unsealed'] = True\n"
        "table.attrs = {}\n"
        "table.to_parquet(sys.argv[2])\n";
    std::vector<std::string> arguments{"-c", code, options.file, options.output};
    if (options.trust == results::Trust::unsealed) arguments.emplace_back("--unsealed");
    return run_python({"h5py", "pandas", "pyarrow"}, arguments);
}

ExitCode export_rows(const ExportOptions& options) {
    if (options.parquet) return export_parquet(options);
    if (!options.csv) throw InputError("say how to write the rows: --csv or --parquet");
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
    return [options] { return export_rows(*options); };
}

}  // namespace dse::app
