#include "app/sweep_run.hpp"

#include <iostream>

#include <fmt/format.h>

#include "app/failure_report.hpp"
#include "app/human.hpp"
#include "app/launch.hpp"
#include "app/point_limit.hpp"
#include "app/run_summary.hpp"
#include "app/sweep_evaluator.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "dse/results/shard_sink.hpp"
#include "dse/space/space_count.hpp"
#include "dse/study/point_choice.hpp"
#include "dse/study/sweep_schema.hpp"

namespace dse::app {
namespace {

/// A month of points on a thousand cores.
constexpr double most_points = 1e14;

/// Rows that are read back to be summed up; beyond, that would take minutes and much memory.
constexpr std::uint64_t most_summed_rows = 5'000'000;

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
}

/// Takes the place of a sweep that this rank could not read: the first lease is refused, so that rank 0 hears
/// why. Where rank 0 could not read it either, there is no lease and nothing is said twice.
class Refusal final : public dist::PointEvaluator, public results::ResultSink {
  public:
    explicit Refusal(std::string reason) : reason_{std::move(reason)} {}
    std::optional<space::Record> evaluate(std::uint64_t) override { return std::nullopt; }
    std::optional<space::Point> point(std::uint64_t) override { return std::nullopt; }
    void write(std::span<const space::Record>) override {}
    void cover(const results::Coverage&) override { throw InputError(reason_); }
    void flush() override {}

  private:
    std::string reason_;
};

void print_json_outcome(const RunOptions& options, const results::MergeSummary& merged,
                        const results::Table* table) {
    Json json = json_object();
    if (table != nullptr) json.update(run_summary_json(*table));
    json["file"] = options.output.string();
    json["points"] = merged.rows;
    print_json(json);
}

void print_text_outcome(const RunOptions& options, const results::MergeSummary& merged,
                        const results::Table* table, const std::string& headline) {
    const std::string file = options.output.string();
    std::cout << headline << "\n\n";
    if (table != nullptr) std::cout << run_summary(*table);
    std::cout << fmt::format("\nResults: {} ({} rows)\nNext:    dse pareto {}\n         dse report {}\n",
                             file, human_count(merged.rows), file, file);
    std::cout.flush();
}

/// Rows that are on disk, for people or for programs, and what of them failed. \return what the job ends with
ExitCode print_outcome(const RunOptions& options, const results::MergeSummary& merged,
                       const std::string& headline) {
    if (merged.rows == 0) {
        throw InputError("none of the points that the search has drawn is in the space (see dse plan)");
    }
    std::optional<results::Table> read;
    if (merged.rows <= most_summed_rows) read = results::read_results(options.output);
    const results::Table* const table = read ? &*read : nullptr;
    if (options.summary == SummaryStyle::json) {
        print_json_outcome(options, merged, table);
    } else {
        print_text_outcome(options, merged, table, headline);
    }
    const FailureCount count{merged.failures, merged.rows};
    if (count.failures > 0) print_error(failure_report(count, table, options.output));
    return verdict(count);
}

std::string rate_text(const dist::Progress& progress) {
    const double rows = static_cast<double>(progress.tally.rows);
    return fmt::format("{} points in {}, {} points/s on {} rank{}", human_count(progress.tally.rows),
                       human_duration(progress.seconds), human_count(rows / std::max(progress.seconds, 1e-9)),
                       progress.workers, progress.workers == 1 ? "" : "s");
}

/// The exit code of the job is rank 0's to give, and so is the message: it has been told.
RunEnd serve(dist::Channel& channel, dist::PointEvaluator& evaluator, results::ResultSink& sink,
             const dist::FarmOptions& farm) {
    try {
        return {ExitCode::ok, dist::work(channel, evaluator, sink, farm).lost};
    } catch (const InputError&) {
        return {};
    }
}

/// Rank 0's part once the sweep is read.
class Leader {
  public:
    Leader(dist::Channel& channel, const RunOptions& options, const Logger& log)
        : channel_{channel}, options_{options}, log_{log} {}

    /// Everything that can be wrong before the first point.
    void prepare(LoadedSweep loaded) {
        loaded_ = std::move(loaded);
        schema_ = result_schema(loaded_.sweep, loaded_.sampler->size());
        make_folder(options_.output.parent_path());
        output_.emplace(options_.output, schema_, results::this_run(), options_.start, log_);
        covered_ = output_->covered();
        if (options_.limit) covered_ = limited(*loaded_.sampler, covered_, *options_.limit);
    }

    /// Nothing is left to evaluate; the rows may still have to be put together.
    [[nodiscard]] bool complete() const { return output_->covered().count() == loaded_.sampler->size(); }

    RunEnd conclude() {
        const results::MergeSummary merged = output_->finish();
        return {print_outcome(
            options_, merged,
            fmt::format("The sweep is complete: every point is in {}.", options_.output.string()))};
    }

    RunEnd run() {
        if (output_->rows_found() > 0) {
            log_.info("going on: {} rows are there already", human_count(output_->rows_found()));
        }
        const dist::FarmSummary summary = farm();
        if (summary.outcome == dist::Outcome::stopped) {
            std::cerr << fmt::format(
                "dse: stopped after {}; every finished row is on disk in {}. The same "
                "command goes on.\n",
                rate_text(summary.progress), output_->shard_folder().string());
            return {ExitCode::stopped, summary.progress.lost};
        }
        const results::MergeSummary merged = output_->finish();
        if (merged.invalid_rows > 0) {
            log_.warning("{} damaged records were left out", human_count(merged.invalid_rows));
        }
        const ExitCode code = print_outcome(options_, merged, rate_text(summary.progress));
        if (merged.covered < loaded_.sampler->size()) {
            std::cerr << "Points are left; the same command without --limit goes on.\n";
        }
        return {code, summary.progress.lost};
    }

  private:
    dist::FarmSummary farm() {
        results::ShardSink sink{output_->shard_folder(), schema_, results::this_run(), 0};
        SweepEvaluator evaluator{loaded_.sweep, *loaded_.sampler};
        ProgressDisplay display{options_.progress, log_};
        dist::FarmOptions farm = options_.farm;
        farm.objectives = loaded_.sweep.objectives;
        farm.crash_folder = output_->shard_folder();
        const dist::FarmHooks hooks{
            .progress = [&](const dist::Progress& progress) { display.show(progress); },
            .alive = [&] { output_->heartbeat(); }};
        return dist::coordinate(channel_, evaluator, sink, loaded_.sampler->size(), covered_, farm, hooks);
    }

    dist::Channel& channel_;
    const RunOptions& options_;
    const Logger& log_;
    LoadedSweep loaded_;
    results::ResultSchema schema_;
    std::optional<results::SweepOutput> output_;
    results::IntervalSet covered_;
};

}  // namespace

LoadedSweep with_sampler(study::Sweep sweep, const std::optional<std::uint64_t>& limit) {
    LoadedSweep loaded{std::move(sweep), nullptr};
    const space::Space& space = *loaded.sweep.space;
    loaded.sampler = space::make_sampler(loaded.sweep.space);
    if (space.search().method != "grid") return loaded;
    static_cast<void>(
        first_point(loaded.sweep));  // a space without any is an error, and says what drops them
    if (space.grid_size().approximate <= most_points || limit) return loaded;
    const double points = space::count(space).remaining.approximate;
    if (points > most_points) {
        throw InputError(
            fmt::format("{}: the sweep has {} points, which no run could finish; draw some of them (search: "
                        "{{method: sobol, budget: 100000}}), or take the first ones (--limit 100000)",
                        loaded.sweep.file, human_count(points)));
    }
    return loaded;
}

RunEnd lead(dist::Channel& channel, const std::function<LoadedSweep()>& loaded, const RunOptions& options,
            const Logger& log) {
    Leader leader{channel, options, log};
    bool complete = false;
    try {
        leader.prepare(loaded());
        complete = leader.complete();
    } catch (...) {
        dist::dismiss(channel, options.farm);
        throw;
    }
    if (!complete) return leader.run();
    dist::dismiss(channel, options.farm);
    return leader.conclude();
}

RunEnd follow(dist::Channel& channel, const std::function<LoadedSweep()>& loaded, const RunOptions& options) {
    LoadedSweep sweep;
    try {
        sweep = loaded();
    } catch (const InputError& error) {
        Refusal refusal{fmt::format("rank {}: {}", channel.rank(), error.what())};
        return serve(channel, refusal, refusal, options.farm);
    }
    dist::FarmOptions farm = options.farm;
    farm.objectives = sweep.sweep.objectives;
    farm.crash_folder = results::shard_folder(options.output);
    results::ShardSink sink{results::shard_folder(options.output),
                            result_schema(sweep.sweep, sweep.sampler->size()), results::this_run(),
                            channel.rank()};
    SweepEvaluator evaluator{sweep.sweep, *sweep.sampler};
    return serve(channel, evaluator, sink, farm);
}

}  // namespace dse::app
