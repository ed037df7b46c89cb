#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <memory>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/launch.hpp"
#include "app/sweep_options.hpp"
#include "app/sweep_run.hpp"
#include "dse/base/checkpoint.hpp"
#include "dse/dist/local_channel.hpp"
#include "dse/dist/mpi_session.hpp"
#include "dse/dist/stop_signal.hpp"

namespace dse::app {
namespace {

struct RunArguments {
    SweepOptions sweep;
    std::string output;
    std::string shard;
    bool fresh{false};
    bool json{false};
    std::string rank_zero{"auto"};
    std::string progress{"auto"};
    std::string parts{"front"};
    RunOptions run;
};

const std::map<std::string, dist::RankZero>& rank_zero_by_name() {
    static const std::map<std::string, dist::RankZero> names{{"auto", dist::RankZero::automatic},
                                                             {"always", dist::RankZero::always},
                                                             {"never", dist::RankZero::never}};
    return names;
}

const std::map<std::string, PartsOf>& parts_by_name() {
    static const std::map<std::string, PartsOf> names{
        {"front", PartsOf::front}, {"all", PartsOf::all}, {"none", PartsOf::none}};
    return names;
}

/// results/<name of the sweep's file>.h5
std::filesystem::path default_output(const std::string& sweep) {
    return std::filesystem::path{"results"} / std::filesystem::path{sweep}.stem().concat(".h5");
}

/// The file is HDF5, whatever its name: one that says otherwise would be taken for what it is not.
void require_results_name(const std::filesystem::path& output) {
    const std::array<std::string_view, 9> others{".csv",  ".json", ".parquet", ".txt", ".xlsx",
                                                 ".yaml", ".yml",  ".png",     ".html"};
    const std::string extension = output.extension().string();
    if (std::ranges::find(others, extension) == others.end()) return;
    throw InputError(
        fmt::format("-o {}: results are written as HDF5, to FILE.h5 (dse export and dse report make other "
                    "files of it)",
                    output.string()));
}

/// If a rank is lost, MPI_Finalize would wait for it forever. Everything is on disk, so exit immediately.
[[noreturn]] void leave_without_mpi(ExitCode code) {
    std::cout.flush();
    std::cerr.flush();
    _exit(static_cast<int>(code));
}

/// Reports errors before MPI is finalized, which waits for all ranks and may be killed by the launcher.
RunEnd run_and_tell(dist::Channel& channel, const std::function<study::Sweep()>& load,
                    const RunOptions& options) {
    try {
        return run_sweep(channel, load, options);
    } catch (const InputError& error) {
        if (channel.rank() != 0) throw;
        print_error(error.what());
        return {ExitCode::bad_input, 0};
    }
}

ExitCode run(RunArguments& options) {
    explore::RunOptions& campaign = options.run.campaign;
    campaign.output =
        options.output.empty() ? default_output(options.sweep.file) : std::filesystem::path{options.output};
    campaign.farm.rank_zero = rank_zero_by_name().at(options.rank_zero);
    options.run.progress = progress_styles().at(options.progress);
    options.run.parts = parts_by_name().at(options.parts);
    if (options.json) options.run.summary = SummaryStyle::json;
    if (!options.shard.empty()) campaign.shard = explore::parse_shard(options.shard);
    if (options.fresh) campaign.start = results::Start::fresh;
    std::unique_ptr<dist::MpiSession> session;
    dist::LocalNetwork alone{1};
    if (dist::MpiSession::launched()) session = std::make_unique<dist::MpiSession>();
    dist::install_stop_signals();
    // For the work before and between points, such as bounds; points have their own checkpoints.
    const CheckpointScope scope{[] {
        if (dist::stop_requested()) throw Stopped("stopped; the same command resumes it");
    }};
    const std::unique_ptr<dist::Channel> channel = session ? session->channel() : alone.channel(0);
    const auto loaded = [&] {
        require_results_name(campaign.output);
        study::Sweep sweep = load(options.sweep);
        if (channel->rank() == 0) print_warnings(sweep);
        return sweep;
    };
    campaign.log = session ? Logger{LogLevel::info, channel->rank()} : Logger{LogLevel::info};
    const RunEnd end = run_and_tell(*channel, loaded, options.run);
    if (session && end.lost > 0) leave_without_mpi(end.code);
    return end.code;
}

void add_options(CLI::App& app, RunArguments& options) {
    add_sweep_options(app, options.sweep);
    app.add_option("-o,--output", options.output,
                   "results file; by default results/<name of the sweep's file>.h5")
        ->type_name("FILE.h5");
    app.add_flag("--fresh", options.fresh, "start over; an existing file is kept as FILE.h5.previous");
    // The points are searched one by one before any is evaluated, which takes minutes for a billion.
    constexpr std::uint64_t highest_limit = 1'000'000'000;
    app.add_option("--limit", options.run.campaign.limit, "stop after this many points")
        ->check(CLI::Range(std::uint64_t{1}, highest_limit))
        ->type_name("N");
    app.add_option("--shard", options.shard,
                   "evaluate only the I-th of N shards of the points (I from 1 to N), for dse merge")
        ->type_name("I/N");
    app.add_option("--rank-zero", options.rank_zero,
                   "whether rank 0 evaluates points too: auto, always or never")
        ->check(CLI::IsMember(rank_zero_by_name()))
        ->type_name("WHEN");
    app.add_option("--progress", options.progress, "auto, line, log or none")
        ->check(CLI::IsMember(progress_styles()))
        ->type_name("HOW");
    app.add_option(
           "--parts", options.parts,
           "rows for which to store the parts of the iteration time: front, all (takes longer) or none")
        ->check(CLI::IsMember(parts_by_name()))
        ->type_name("ROWS");
    app.add_flag("--json", options.json, "print the summary as JSON");
    app.footer(
        "Runs the sweep, or resumes an earlier run, and writes one row per point.\n"
        "Under mpirun all ranks share the work. After Ctrl-C, all finished rows are on disk.\n"
        "Exits with 1 if every point of the sweep failed, and with 4 if the run was stopped.");
}

}  // namespace

Action declare_run(CLI::App& app) {
    const auto options = std::make_shared<RunArguments>();
    add_options(app, *options);
    return [options] { return run(*options); };
}

}  // namespace dse::app
