#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dse/base/log.hpp"
#include "dse/dist/farm.hpp"
#include "dse/explore/search.hpp"
#include "dse/explore/shard.hpp"
#include "dse/results/merge.hpp"
#include "dse/results/sweep_output.hpp"

namespace dse::explore {

/// Evaluates a point. The result must depend on point and fidelity only, not on the rank or on earlier
/// points. Exceptions other than Stopped become a row (`outside_validity` for a ModelError, else `failed`).
/// \param record  on entry empty, with the point and status `ok`
using Evaluate = std::function<void(const space::Point& point, Fidelity fidelity, space::Record& record)>;

/// What is searched, how points are evaluated, and the format of the rows. Each rank creates its own.
struct Campaign {
    std::unique_ptr<Search> search;
    /// Called once in each rank that may evaluate; the result is used by one thread.
    std::function<Evaluate()> evaluator;
    /// Schema of the rows; `sweep.points` is set from the search, `sweep.objectives` are used for progress.
    results::ResultSchema schema;
};

/// How a campaign is run.
struct RunOptions {
    std::filesystem::path output;  ///< the finished file
    results::Start start{results::Start::resume};
    std::optional<std::uint64_t> limit{};  ///< largest number of points to evaluate in this run
    /// The part of the points that belongs to this run; the others go to other files.
    std::optional<Shard> shard{};
    dist::FarmOptions farm{};  ///< objectives and crash_folder are the campaign's
    /// Whether points that crash their process are recorded; off if ranks share a process.
    bool crash_records{true};
    Logger log{};
    std::function<void(const dist::Progress&)> progress{};  ///< see dist::FarmHooks
    /// Called by rank 0 after the last point, before the file is written; rows that it adds to the output are
    /// included. An exception ends the run, with the rows kept on disk beside the file.
    std::function<void(results::SweepOutput& output)> complete{};
    results::BlockVisitor
        rows{};  ///< called by rank 0 with every row of the finished file while it is written
};

enum class End : std::uint8_t {
    complete,     ///< every point that the search asked for has a row in the file
    points_left,  ///< the limit was reached; the rows so far are in the file
    stopped,  ///< stopped by a signal; finished rows are on disk beside the file and the next run continues
};

/// Outcome of a run. Ranks other than 0 know `lost` only.
struct Report {
    End end{End::complete};
    int lost{0};            ///< number of lost ranks; if there are any, MPI must not be finalized
    bool evaluated{false};  ///< whether any points were left to evaluate
    dist::Progress progress;
    results::MergeSummary merged;           ///< unless stopped
    std::string state;                      ///< of an adaptive search
    std::optional<results::Proof> proof{};  ///< of a search that proves its front
};

/// Runs or resumes a campaign; to be called by all ranks of a channel. If rank 0 fails, the other ranks are
/// told to stop; errors of other ranks are reported to rank 0.
/// \param make  called once; an exception thrown in several ranks is reported by rank 0 only
/// \throws InputError (in rank 0) if the campaign or its output is invalid, or rows cannot be stored
Report run(dist::Channel& channel, const std::function<Campaign()>& make, const RunOptions& options);

}  // namespace dse::explore
