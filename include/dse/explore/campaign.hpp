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

/// Answers a point, as a function of point and fidelity alone: the same on every rank, whatever came before.
/// What it throws becomes a row (`outside_validity` for a ModelError, else `failed`), but for Stopped.
/// \param record  comes empty, with the point and the status `ok`
using Evaluate = std::function<void(const space::Point& point, Fidelity fidelity, space::Record& record)>;

/// What is searched, how points are answered, and what rows look like. Each rank makes its own.
struct Campaign {
    std::unique_ptr<Search> search;
    /// Called once in a rank that may evaluate; what it returns is used by one thread.
    std::function<Evaluate()> evaluator;
    /// Of the rows; `sweep.points` is taken from the search, `sweep.objectives` are those of the progress.
    results::ResultSchema schema;
};

/// How a campaign is run.
struct RunOptions {
    std::filesystem::path output;  ///< the finished file
    results::Start start{results::Start::resume};
    std::optional<std::uint64_t> limit{};  ///< points to evaluate at most this time
    /// This run's part of the points: the others are another file's.
    std::optional<Shard> shard{};
    dist::FarmOptions farm{};  ///< objectives and crash_folder are the campaign's
    /// Whether points that take their process along are recorded; off where ranks share a process.
    bool crash_records{true};
    Logger log{};
    std::function<void(const dist::Progress&)> progress{};  ///< see dist::FarmHooks
    /// Called by rank 0 once every point has its row, before the file is written: rows that it adds to the
    /// output are in that file. What it throws ends the run, the rows on disk beside the file.
    std::function<void(results::SweepOutput& output)> complete{};
    results::BlockVisitor rows{};  ///< rank 0 shows it every row of the finished file, while it is written
};

enum class End : std::uint8_t {
    complete,     ///< every point that the search asks for has its row in the file
    points_left,  ///< the limit was reached; what is there is in the file
    stopped,      ///< a signal came; every finished row is on disk beside the file, and the next run goes on
};

/// What a run has come to. A rank other than 0 knows of `lost` only.
struct Report {
    End end{End::complete};
    int lost{0};            ///< ranks that are gone: MPI must then not be left in order
    bool evaluated{false};  ///< whether there was anything left to evaluate
    dist::Progress progress;
    results::MergeSummary merged;           ///< unless stopped
    std::string state;                      ///< of a search that learns
    std::optional<results::Proof> proof{};  ///< of a search that proves
};

/// Runs a campaign, or goes on with it: to be called by all ranks of a channel. Whatever goes wrong in rank
/// 0, the other ranks have been sent home; what is wrong in another comes to rank 0. \param make  called
/// once; what it throws in several ranks is said by rank 0 alone \throws InputError (in rank 0) when the
/// campaign or its output is wrong, or rows cannot be stored
Report run(dist::Channel& channel, const std::function<Campaign()>& make, const RunOptions& options);

}  // namespace dse::explore
