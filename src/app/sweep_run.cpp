#include "app/sweep_run.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/failure_report.hpp"
#include "app/human.hpp"
#include "app/launch.hpp"
#include "app/proof_effort.hpp"
#include "app/run_summary.hpp"
#include "app/sweep_answers.hpp"
#include "dse/eval/bounder.hpp"
#include "dse/explore/known_rows.hpp"
#include "dse/explore/registry.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/space/registry.hpp"
#include "dse/space/space_count.hpp"
#include "dse/study/point_choice.hpp"

namespace dse::app {
namespace {

void print_json_outcome(const RunOptions& options, const results::MergeSummary& merged,
                        const RunSummary& summary) {
    Json json = json_object();
    json.update(summary.json());
    json["file"] = options.campaign.output.string();
    json["points"] = merged.rows;
    print_json(json);
}

/// As a shell reads it as one word.
std::string shell_word(const std::string& text) {
    const bool plain = text.find_first_of(" \t'\"\\$`&|;<>()*?[]#~!") == std::string::npos;
    if (plain) return text;
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return word + "'";
}

void print_text_outcome(const RunOptions& options, const results::MergeSummary& merged,
                        const RunSummary& summary, const std::string& headline) {
    const std::string file = options.campaign.output.string();
    std::cout << headline << "\n\n" << summary.text();
    const std::string word = shell_word(file);
    std::cout << fmt::format("\nResults: {} ({})\n", file, counted(merged.rows, "row"));
    if (options.campaign.shard) {
        std::cout << fmt::format("Next:    dse merge {} OTHER.h5 … -o ALL.h5, once all shards are there\n",
                                 word);
    } else if (summary.has_answers()) {
        std::cout << fmt::format("Next:    dse pareto {}\n         dse report {}\n", word, word);
    }
    std::cout.flush();
}

/// Prints the summary of the rows on disk as text or JSON, and their failures.
/// \param summary  summary of the rows; none if there are no rows
/// \return exit code of the job
ExitCode print_outcome(const RunOptions& options, const results::MergeSummary& merged,
                       const std::optional<RunSummary>& summary, const std::string& headline) {
    if (merged.rows == 0 && options.campaign.shard) {
        std::cerr << fmt::format("{}: no point of this shard is in the space\n",
                                 options.campaign.output.string());
        return ExitCode::ok;
    }
    if (merged.rows == 0 || !summary) {
        throw InputError("none of the points that the search has drawn is in the space (see dse plan)");
    }
    if (options.summary == SummaryStyle::json) {
        print_json_outcome(options, merged, *summary);
    } else {
        print_text_outcome(options, merged, *summary, headline);
    }
    const FailureCount count{merged.failures, merged.rows};
    if (count.failures > 0) print_error(failure_report(count, summary->reasons(), options.campaign.output));
    return verdict(count);
}

std::string rate_text(const dist::Progress& progress) {
    const double rows = static_cast<double>(progress.tally.rows);
    return fmt::format("{} in {}, {} on {}", counted(progress.tally.rows, "point"),
                       human_duration(progress.seconds), human_rate(rows / std::max(progress.seconds, 1e-9)),
                       counted(static_cast<std::uint64_t>(progress.workers), "rank"));
}

/// Whether an objective, a metric that the sweep defines or a condition uses a part of the iteration time.
bool aims_at_parts(const study::Sweep& sweep) {
    std::string goals;
    for (const metrics::Objective& objective : sweep.objectives) goals += objective.metric + "\n";
    for (const space::DerivedMetric& metric : sweep.space->metrics())
        goals += metric.expression.text() + "\n";
    for (const auto& condition : sweep.space->constraints()) goals += condition.expression.text() + "\n";
    const auto fields = metrics::metric_fields();
    return std::any_of(fields.begin(), fields.end(), [&](const metrics::MetricField& field) {
        return field.is_part && goals.find(field.name) != std::string::npos;
    });
}

/// Answers in older files that the search refers to.
std::vector<space::Record> known_to(const study::Sweep& sweep) {
    std::vector<space::Record> known;
    for (const std::string& file : sweep.space->search().from) {
        const auto rows = explore::known_rows(*sweep.space, row_schema(sweep, 0), file);
        known.insert(known.end(), rows.begin(), rows.end());
    }
    return known;
}

explore::Campaign campaign_of(const std::shared_ptr<const study::Sweep>& shared, const RunOptions& options) {
    const study::Sweep& sweep = *shared;
    const std::optional<std::uint64_t>& limit = options.campaign.limit;
    const auto bounder = [&sweep] { return std::make_unique<eval::MachineBounder>(sweep); };
    explore::Campaign campaign;
    campaign.search =
        explore::make_search(sweep.space, sweep.file, sweep.objectives, limit, bounder, known_to(sweep));
    campaign.schema = row_schema(sweep, campaign.search->size());
    if (space::walks_grid(sweep.space->search().method)) {
        static_cast<void>(
            study::first_point(sweep));  // throws if the space is empty, naming what drops its points
    }
    const auto asked =
        options.parts == PartsOf::all || aims_at_parts(sweep) ? sim::Asked::For::path : sim::Asked::For::time;
    campaign.evaluator = [shared, asked] { return answers_of(shared, asked); };
    return campaign;
}

void print_stopped(const explore::Report& report, const RunOptions& options) {
    std::cerr << fmt::format(
        "dse: stopped after {}; every finished row is on disk in {}. The same command resumes it.\n",
        rate_text(report.progress), results::shard_folder(options.campaign.output).string());
}

std::string headline(const explore::Report& report, const RunOptions& options) {
    if (report.evaluated) return rate_text(report.progress);
    return fmt::format("The sweep is complete: every point is in {}.", options.campaign.output.string());
}

void print_proof(const results::Proof& proof, const RunOptions& options) {
    if (proof.course.empty()) return;
    const results::Proof::Mark& last = proof.course.back();
    constexpr std::size_t many = 5000;  // a check of all of them takes minutes
    std::cout << fmt::format("Proof:   epsilon {:.3g} by {} bounds, {} boxes (dse verify {}{})\n",
                             last.epsilon, human_count(last.bounds),
                             human_count(std::uint64_t{proof.parts.size()}),
                             shell_word(options.campaign.output.string()),
                             proof.parts.size() > many ? "; --boxes 1000 tests a sample" : "");
}

}  // namespace

RunEnd run_sweep(dist::Channel& channel, const std::function<study::Sweep()>& load,
                 const RunOptions& options) {
    ProgressDisplay display{options.progress, options.campaign.log};
    explore::RunOptions campaign = options.campaign;
    campaign.progress = [&](const dist::Progress& progress) { display.show(progress); };
    std::shared_ptr<const study::Sweep> sweep;
    const auto warn_of_effort = [&] {
        if (channel.rank() != 0 || sweep->space->search().method != "proven") return;
        const std::string advice = advice_for_proof(proof_effort(*sweep, space::count(*sweep->space)));
        if (!advice.empty()) options.campaign.log.warning("{}", advice);
    };
    std::optional<RunSummary> summary;
    campaign.rows = [&](const results::Table& block) {
        if (!summary) summary.emplace(results::without_rows(block));
        summary->add(block);
    };
    if (options.parts == PartsOf::front)
        campaign.complete = [&](results::SweepOutput& output) { add_parts_of_front(sweep, output); };
    const explore::Report report = explore::run(
        channel,
        [&] {
            sweep = std::make_shared<const study::Sweep>(load());
            warn_of_effort();
            return campaign_of(sweep, options);
        },
        campaign);
    display.close();
    RunEnd end{ExitCode::ok, report.lost};
    if (channel.rank() != 0) return end;
    if (report.end == explore::End::stopped) {
        print_stopped(report, options);
        end.code = ExitCode::stopped;
        return end;
    }
    // Must follow the last change of the file, because changes do not keep the proof.
    if (report.proof && report.merged.rows > 0) results::write_proof(campaign.output, *report.proof);
    end.code = print_outcome(options, report.merged, summary, headline(report, options));
    if (report.proof && options.summary == SummaryStyle::text) print_proof(*report.proof, options);
    if (report.end == explore::End::points_left && options.campaign.shard) {
        std::cerr << fmt::format("This is shard {} of {}; dse merge combines the files of all shards.\n",
                                 options.campaign.shard->index, options.campaign.shard->number);
    } else if (report.end == explore::End::points_left) {
        std::cerr << "Points remain; the same command without --limit continues.\n";
    }
    return end;
}

}  // namespace dse::app
