#include "dse/explore/campaign.hpp"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/results/record_columns.hpp"
#include "dse/results/shard_sink.hpp"
#include "explore/function_evaluator.hpp"
#include "explore/point_limit.hpp"
#include "explore/replay.hpp"
#include "explore/search_source.hpp"

namespace dse::explore {
namespace {

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
}

/// Every rank creates the campaign for itself.
Campaign made(const std::function<Campaign()>& make) {
    Campaign campaign = make();
    campaign.schema.sweep.points = campaign.search->size();
    return campaign;
}

/// The objects that every rank of a campaign works with.
class Station {
  public:
    Station(const Campaign& campaign, const RunOptions& options, int rank)
        : farm{options.farm},
          sink{results::shard_folder(options.output), campaign.schema, results::this_run(), rank},
          evaluator{campaign.search->sampler(), campaign.evaluator()} {
        farm.objectives = campaign.schema.sweep.objectives;
        farm.more_metrics = results::RecordColumns{campaign.schema.metrics}.more();
        if (options.crash_records) farm.crash_folder = results::shard_folder(options.output);
    }

    dist::FarmOptions farm;
    results::ShardSink sink;
    FunctionEvaluator evaluator;
};

/// Rank 0's part.
class Leader {
  public:
    Leader(dist::Channel& channel, const RunOptions& options) : channel_{channel}, options_{options} {}

    /// Everything that can fail before the first point.
    void prepare(Campaign campaign) {
        campaign_ = std::move(campaign);
        make_folder(options_.output.parent_path());
        output_.emplace(options_.output, campaign_.schema, results::this_run(), options_.start, options_.log);
        covered_ = output_->covered();
        if (const space::Sampler* sampler = campaign_.search->sampler()) {
            if (options_.shard) leave_to_others(sampler->size());
            if (options_.limit) covered_ = limited(*sampler, covered_, *options_.limit);
        } else {
            if (options_.shard)
                throw InputError("a search that learns cannot be run in shards: each needs the others' rows");
            Replay known;
            if (output_->rows_found() > 0) known = read_replay(options_.output, covered_);
            recall_proof();
            source_.emplace(*campaign_.search, std::move(known),
                            options_.limit.value_or(std::numeric_limits<std::uint64_t>::max()));
        }
    }

    /// Nothing is left to evaluate; the rows may still have to be merged.
    [[nodiscard]] bool complete() const {
        return source_ ? source_->complete() : output_->covered().count() == campaign_.search->size();
    }

    Report conclude() {
        Report report;
        report.merged = finish();
        return with_state(std::move(report));
    }

    Report run() {
        if (output_->rows_found() > 0) {
            options_.log.info("resuming: {} rows already exist", output_->rows_found());
        }
        const dist::FarmSummary summary = farm();
        Report report;
        report.lost = summary.progress.lost;
        report.progress = summary.progress;
        // A search that takes a while to see that all its points are known has evaluated nothing either.
        report.evaluated =
            summary.outcome == dist::Outcome::stopped || summary.progress.tally.rows > 0 || !complete();
        if (summary.outcome == dist::Outcome::stopped) {
            report.end = End::stopped;
            return with_state(std::move(report));
        }
        report.merged = finish();
        if (report.merged.invalid_rows > 0) {
            options_.log.warning("{} damaged records were left out", report.merged.invalid_rows);
        }
        const bool all = source_ ? source_->complete() : report.merged.covered >= campaign_.search->size();
        report.end = all ? End::complete : End::points_left;
        return with_state(std::move(report));
    }

  private:
    void recall_proof() {
        if (!campaign_.search->progress() || !std::filesystem::exists(options_.output)) return;
        if (const auto proof = results::read_proof(options_.output)) campaign_.search->recall(*proof);
    }

    /// Puts the rows together, with what is to be added once all of them are there: not before, since that
    /// must not depend on where a run was stopped.
    results::MergeSummary finish() {
        if (options_.complete && complete_now()) options_.complete(*output_);
        return output_->finish(options_.rows);
    }

    void leave_to_others(std::uint64_t size) {
        for (const results::Interval& interval : others(*options_.shard, size).intervals())
            covered_.insert(interval);
    }

    bool complete_now() {
        return source_ ? source_->complete() : output_->settled() == campaign_.search->size();
    }

    dist::FarmSummary farm() {
        Station station{campaign_, options_, 0};
        const dist::FarmHooks hooks{.progress = [&](const dist::Progress& progress) { show(progress); },
                                    .alive = [&] { output_->heartbeat(); }};
        return dist::coordinate(
            channel_, station.evaluator, station.sink,
            {.size = campaign_.search->size(), .covered = covered_, .source = source_ ? &*source_ : nullptr},
            station.farm, hooks);
    }

    void show(dist::Progress progress) const {
        progress.proof = campaign_.search->progress();
        if (options_.progress) options_.progress(progress);
    }

    Report with_state(Report report) const {
        if (source_) report.state = campaign_.search->state();
        report.proof = campaign_.search->proof();
        return report;
    }

    dist::Channel& channel_;
    const RunOptions& options_;
    Campaign campaign_;
    std::optional<results::SweepOutput> output_;
    results::IntervalSet covered_;
    std::optional<SearchSource> source_;  ///< for searches that learn
};

Report lead(dist::Channel& channel, const std::function<Campaign()>& make, const RunOptions& options) {
    Leader leader{channel, options};
    bool complete = false;
    try {
        leader.prepare(made(make));
        complete = leader.complete();
    } catch (...) {
        dist::dismiss(channel, options.farm);
        throw;
    }
    if (!complete) return leader.run();
    dist::dismiss(channel, options.farm);
    return leader.conclude();
}

/// Rank 0 determines the job's exit code and reports errors, including those of this rank, which it has been
/// told of. This rank only reports errors of the campaign itself if rank 0 finds none.
Report follow(dist::Channel& channel, const std::function<Campaign()>& make, const RunOptions& options) {
    Report report;
    Campaign campaign;
    try {
        campaign = made(make);
    } catch (const InputError& error) {
        dist::refuse(channel, error.what(), options.farm);
        return report;
    }
    Station station{campaign, options, channel.rank()};
    try {
        report.lost = dist::work(channel, station.evaluator, station.sink, station.farm).lost;
    } catch (const InputError&) {
    }
    return report;
}

}  // namespace

Report run(dist::Channel& channel, const std::function<Campaign()>& make, const RunOptions& options) {
    return channel.rank() == 0 ? lead(channel, make, options) : follow(channel, make, options);
}

}  // namespace dse::explore
