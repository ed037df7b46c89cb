#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/fill_parts.hpp"
#include "app/human.hpp"
#include "app/sweep_options.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

struct PartsOptions {
    std::string file;
    SweepOptions sweep;
    bool all{false};
};

/// The sweep that a results file carries, as a file.
class CarriedSweep {
  public:
    /// Beside the results: what it names relative to where it stood is most likely found from there.
    explicit CarriedSweep(const std::string& results)
        : path_{fmt::format("{}.sweep-{}.yaml", results, getpid())} {
        const results::ResultsReader reader{results, results::ResultsReader::Extent::finished};
        std::ofstream stream(path_, std::ios::binary);
        stream << reader.columns().schema.sweep.yaml;
        stream.flush();
        if (!stream) throw InputError(fmt::format("cannot write '{}'", path_.string()));
    }
    ~CarriedSweep() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    CarriedSweep(const CarriedSweep&) = delete;
    CarriedSweep& operator=(const CarriedSweep&) = delete;

    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

study::Sweep loaded(const PartsOptions& options) {
    if (!options.sweep.file.empty()) return load(options.sweep);
    const CarriedSweep carried{options.file};
    SweepOptions sweep = options.sweep;
    sweep.file = carried.path();
    return load(sweep);
}

ExitCode fill_in(const PartsOptions& options) {
    dist::install_stop_signals();
    const std::uint64_t rows = fill_parts(
        loaded(options), options.file, options.all ? PartsOf::all : PartsOf::front, Logger{LogLevel::info});
    std::cout << fmt::format("{}: {} rows got the parts of their iteration time\n", options.file,
                             human_count(rows));
    return ExitCode::ok;
}

}  // namespace

Action declare_parts(CLI::App& app) {
    const auto options = std::make_shared<PartsOptions>();
    app.add_option("file", options->file, "results")->required()->type_name("FILE.h5");
    add_sweep_options(app, options->sweep);
    app.get_option("sweep")->required(false)->description("its sweep; by default as the file carries it");
    app.add_flag("--all", options->all, "of every row; by default, of the front of the sweep's objectives");
    app.footer(
        "Evaluates rows again that have no parts of their iteration time yet, and writes them into the "
        "file.\n"
        "What was set with --set when the sweep was run must be set here too.");
    return [options] { return fill_in(*options); };
}

}  // namespace dse::app
