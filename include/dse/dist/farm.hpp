#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dse/dist/channel.hpp"
#include "dse/dist/lease_queue.hpp"
#include "dse/dist/lease_runner.hpp"
#include "dse/dist/point_evaluator.hpp"
#include "dse/dist/proof_progress.hpp"
#include "dse/dist/trial_source.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/interval_set.hpp"
#include "dse/results/result_sink.hpp"

namespace dse::dist {

/// Whether rank 0 evaluates points in addition to coordinating. It always does if it is the only rank.
enum class RankZero : std::uint8_t { automatic, always, never };

struct FarmOptions {
    LeaseSizing sizing;
    FlushPolicy flush;
    RankZero rank_zero{RankZero::automatic};
    /// With RankZero::automatic, rank 0 evaluates up to this number of ranks.
    int few_ranks{8};
    /// Interval of heartbeats in both directions.
    std::chrono::milliseconds heartbeat{500};
    /// A worker that is silent for this long counts as lost and its leases are handed out again. If it was
    /// only slow, its rows equal those of the worker that took over.
    std::chrono::milliseconds silence{60'000};
    /// A worker that hears nothing from rank 0 for this long ends itself.
    std::chrono::milliseconds orphaned{300'000};
    /// How long rank 0 waits after a stop for the others to write their rows; mpirun kills after one second.
    std::chrono::milliseconds drain{800};
    std::chrono::milliseconds progress{500};
    /// Folder in which ranks record the point they are evaluating (see CrashRecord), the same for all ranks;
    /// empty: points are not recorded. A point that has crashed two processes gets a row `failed` and is not
    /// retried.
    std::filesystem::path crash_folder;
    /// For the size of the front in Progress.
    std::vector<metrics::Objective> objectives;
    std::vector<std::string> more_metrics;  ///< names of the values in Record::more
};

/// Progress of a sweep.
struct Progress {
    std::uint64_t total{0};    ///< indices of the space
    std::uint64_t covered{0};  ///< settled by earlier runs
    Tally tally;               ///< of this run
    double seconds{0.0};       ///< since this run began
    double rate{0.0};          ///< indices a second, lately
    double eta_seconds{0.0};   ///< NaN while no rate is known
    std::size_t front_size{0};
    /// For a search that proves a front. The number of points it will need is unknown.
    std::optional<ProofProgress> proof{};
    int workers{0};  ///< ranks that evaluate or have evaluated
    int lost{0};     ///< lost ranks
};

enum class Outcome : std::uint8_t {
    complete,  ///< every index is evaluated and every row on disk
    stopped,   ///< stopped by a signal; every finished row is on disk
};

struct FarmSummary {
    Outcome outcome{Outcome::complete};
    Progress progress;
};

struct WorkSummary {
    Outcome outcome{Outcome::complete};
    int lost{0};  ///< lost ranks, as far as this rank knows
};

/// Callbacks of rank 0.
struct FarmHooks {
    std::function<void(const Progress&)> progress;  ///< every FarmOptions::progress, and once at the end
    std::function<void()> alive;                    ///< called often, to signal that this process is alive
};

/// What a sweep has to evaluate: indices of its space, or trials of a source, which makes points from the
/// records of earlier ones.
struct FarmWork {
    std::uint64_t size{0};           ///< indices, or trials that the source makes at most
    results::IntervalSet covered{};  ///< settled by earlier runs, and not handed out
    TrialSource* source{nullptr};
};

/// Rank 0: hands out the work, and evaluates itself as the options say.
/// \return when every rank has everything on disk
/// \throws InputError when rows cannot be stored, here or at a worker; the others have been told to stop
FarmSummary coordinate(Channel& channel, PointEvaluator& evaluator, results::ResultSink& sink,
                       const FarmWork& work, const FarmOptions& options, const FarmHooks& hooks);

/// Any other rank: evaluates its leases until rank 0 says that nothing is left, a signal arrives, or rank 0
/// or the launcher is lost (both treated like a signal). The exit code of the job is set by rank 0: a rank
/// that returns from here exits with 0.
/// \throws InputError if rows cannot be stored; rank 0 has been informed
WorkSummary work(Channel& channel, PointEvaluator& evaluator, results::ResultSink& sink,
                 const FarmOptions& options);

/// Replaces work() in a rank that is unable to work: it answers its first lease with the reason. Does nothing
/// if rank 0 dismisses the others before any lease.
void refuse(Channel& channel, const std::string& reason, const FarmOptions& options);

/// Rank 0: dismisses the other ranks before any work, for example because the results cannot be opened.
void dismiss(Channel& channel, const FarmOptions& options);

}  // namespace dse::dist
