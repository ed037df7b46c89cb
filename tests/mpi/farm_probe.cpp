// A sweep of synthetic points with everything of the real one around it: MPI, shards, signals, resume, merge,
// exit codes. The fault tests drive it, so that they need neither a model nor a system.
//
//     farm_probe run FILE.h5 [--points N] [--delay-us D] [--fresh] [--fact TEXT] [--die-at INDEX] [--die-rank
//     R]
//                        [--die-signal S] [--silence-ms T]
//     farm_probe compare A.h5 B.h5     exit 1 and say what differs unless the answers are equal, bit for bit
//     farm_probe show FILE.h5          rows, and rows of each rank

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "dist/sample_evaluator.hpp"
#include "dse/base/error.hpp"
#include "dse/dist/farm.hpp"
#include "dse/dist/local_channel.hpp"
#include "dse/dist/mpi_session.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "dse/results/shard_sink.hpp"
#include "dse/results/sweep_output.hpp"

namespace dse::dist::test {
namespace {

struct Options {
    std::filesystem::path file;
    std::uint64_t points{2000};
    std::chrono::microseconds delay{0};
    results::Start start{results::Start::resume};
    std::string fact{"first"};
    std::optional<std::uint64_t> die_at;
    int die_rank{-1};
    int die_signal{SIGKILL};
    std::chrono::milliseconds silence{60'000};
};

Options parse(int argc, char** argv) {
    Options options;
    options.file = argv[2];
    for (int i = 3; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--fresh") {
            options.start = results::Start::fresh;
            continue;
        }
        if (++i == argc) throw InputError(fmt::format("{} needs a value", name));
        const std::string value = argv[i];
        if (name == "--points")
            options.points = std::stoull(value);
        else if (name == "--delay-us")
            options.delay = std::chrono::microseconds{std::stoll(value)};
        else if (name == "--fact")
            options.fact = value;
        else if (name == "--die-at")
            options.die_at = std::stoull(value);
        else if (name == "--die-signal")
            options.die_signal = std::stoi(value);
        else if (name == "--silence-ms")
            options.silence = std::chrono::milliseconds{std::stoll(value)};
        else if (name == "--die-rank")
            options.die_rank = std::stoi(value);
        else
            throw InputError(fmt::format("unknown option {}", name));
    }
    return options;
}

results::ResultSchema schema_of(const Options& options) {
    results::ResultSchema schema = results::test::sample_schema(options.points);
    schema.sweep.facts.emplace_back("fact", options.fact);
    schema.sweep.digest = digest(schema.sweep.yaml + options.fact);
    return schema;
}

SampleEvaluator evaluator_of(const Options& options, int rank) {
    return SampleEvaluator{[options, rank](std::uint64_t index) {
        const bool mine = options.die_rank < 0 || options.die_rank == rank;
        if (options.die_at == index && mine) std::raise(options.die_signal);
        if (options.delay.count() > 0) std::this_thread::sleep_for(options.delay);
    }};
}

struct Ended {
    ExitCode code;
    int lost;  ///< ranks that MPI_Finalize would wait for
};

/// Rank 0, from opening the output to the merged file.
Ended lead(Channel& channel, const Options& options, const FarmOptions& farm) {
    const results::ResultSchema schema = schema_of(options);
    std::optional<results::SweepOutput> output;
    try {
        output.emplace(options.file, schema, results::this_run(), options.start, Logger{LogLevel::info, 0});
    } catch (...) {
        dismiss(channel, farm);
        throw;
    }
    results::ShardSink sink{output->shard_folder(), schema, results::this_run(), 0};
    SampleEvaluator evaluator = evaluator_of(options, 0);
    const FarmHooks hooks{.progress = {}, .alive = [&] { output->heartbeat(); }};
    std::cout << "running\n" << std::flush;
    const FarmSummary summary = coordinate(
        channel, evaluator, sink, {.size = options.points, .covered = output->covered()}, farm, hooks);
    if (summary.outcome == Outcome::stopped) {
        std::cout << fmt::format("stopped after {} indices\n", summary.progress.tally.indices);
        return {ExitCode::stopped, summary.progress.lost};
    }
    const results::MergeSummary merged = output->finish();
    std::cout << fmt::format("evaluated {} rows {} duplicates {} covered {} lost {}\n",
                             summary.progress.tally.indices, merged.rows, merged.duplicates, merged.covered,
                             summary.progress.lost);
    const bool whole = merged.covered == options.points;
    return {whole ? ExitCode::ok : ExitCode::internal_error, summary.progress.lost};
}

Ended follow(Channel& channel, const Options& options, const FarmOptions& farm) {
    const std::filesystem::path folder = results::shard_folder(options.file);
    results::ShardSink sink{folder, schema_of(options), results::this_run(), channel.rank()};
    SampleEvaluator evaluator = evaluator_of(options, channel.rank());
    return {ExitCode::ok, work(channel, evaluator, sink, farm).lost};
}

/// MPI_Finalize waits for all ranks, those included that are gone.
[[noreturn]] void leave_without_the_lost(ExitCode code) {
    std::cout << std::flush;
    _exit(static_cast<int>(code));
}

ExitCode run(const Options& options) {
    std::unique_ptr<MpiSession> session;
    LocalNetwork alone{1};
    if (MpiSession::launched()) session = std::make_unique<MpiSession>();
    install_stop_signals();
    const std::unique_ptr<Channel> channel = session ? session->channel() : alone.channel(0);
    FarmOptions farm;
    farm.flush = {.rows = 64, .interval = std::chrono::milliseconds{50}};
    farm.sizing.target_seconds = 0.05;
    farm.silence = options.silence;
    farm.crash_folder = results::shard_folder(options.file);
    farm.objectives = metrics::parse_objectives("iteration_time, mfu: maximize");
    try {
        const Ended ended =
            channel->rank() == 0 ? lead(*channel, options, farm) : follow(*channel, options, farm);
        if (session && ended.lost > 0) leave_without_the_lost(ended.code);
        return ended.code;
    } catch (const InputError& error) {
        std::cerr << error.what() << '\n' << std::flush;
        return ExitCode::bad_input;
    }
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::string first_difference(const results::Table& a, const results::Table& b) {
    if (a.point_id != b.point_id) return fmt::format("points: {} and {} rows", a.rows(), b.rows());
    if (a.status != b.status) return "status";
    if (a.reason != b.reason) return "reason";
    for (std::size_t c = 0; c < a.points.size(); ++c) {
        if (!same_bits(a.points[c], b.points[c])) return a.schema.points[c].name;
    }
    for (std::size_t c = 0; c < a.metrics.size(); ++c) {
        if (!same_bits(a.metrics[c], b.metrics[c])) return a.schema.metrics[c].name;
    }
    return {};
}

ExitCode compare(const char* a, const char* b) {
    const std::string difference = first_difference(results::read_results(a), results::read_results(b));
    if (difference.empty()) return ExitCode::ok;
    std::cout << "differ in " << difference << '\n';
    return ExitCode::answer_is_no;
}

ExitCode show(const char* file) {
    const results::Table table = results::read_so_far(file);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (table.reason[row].find("processes") == std::string::npos) continue;
        std::cout << fmt::format("point {} {}: {}\n", table.point_id[row], name(table.status[row]),
                                 table.reason[row]);
    }
    std::map<int, int> rows;
    for (const int rank : table.rank) ++rows[rank];
    std::cout << "rows " << table.rows() << '\n';
    for (const auto& [rank, count] : rows) std::cout << "rank " << rank << " rows " << count << '\n';
    return ExitCode::ok;
}

ExitCode dispatch(int argc, char** argv) {
    const std::string command = argc > 2 ? argv[1] : "";
    if (command == "run") return run(parse(argc, argv));
    if (command == "compare" && argc == 4) return compare(argv[2], argv[3]);
    if (command == "show") return show(argv[2]);
    throw InputError("usage: farm_probe run|compare|show FILE.h5 …");
}

}  // namespace
}  // namespace dse::dist::test

int main(int argc, char** argv) {
    try {
        return static_cast<int>(dse::dist::test::dispatch(argc, argv));
    } catch (const dse::InputError& error) {
        std::cerr << error.what() << '\n';
        return static_cast<int>(dse::ExitCode::bad_input);
    }
}
