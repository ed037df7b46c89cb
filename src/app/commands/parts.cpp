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
#include "app/row_conditions.hpp"
#include "app/sweep_options.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/front_rows.hpp"
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

/// Those of which parts are wanted.
std::vector<space::Point> points_of(const PartsOptions& options) {
    results::ResultsReader reader{options.file, results::ResultsReader::Extent::finished};
    std::vector<space::Point> all;
    results::FrontRows front{reader.columns(), reader.columns().schema.sweep.objectives};
    RowFilter filter;
    reader.each([&](const results::Table& block) {
        if (!options.all) return front.add(block, filter.statuses(block));
        const std::vector<space::Point> points = points_without_parts(block);
        all.insert(all.end(), points.begin(), points.end());
    });
    return options.all ? all : points_without_parts(front.rows());
}

ExitCode fill_in(const PartsOptions& options) {
    dist::install_stop_signals();
    const auto sweep = std::make_shared<const study::Sweep>(loaded(options));
    const std::vector<space::Point> points = points_of(options);
    fill_parts(sweep, options.file, points, Logger{LogLevel::info});
    std::cout << fmt::format("{}: {} rows got the parts of their iteration time\n", options.file,
                             human_count(std::uint64_t{points.size()}));
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
