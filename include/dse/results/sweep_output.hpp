#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "dse/base/log.hpp"
#include "dse/results/interval_set.hpp"
#include "dse/results/merge.hpp"
#include "dse/results/provenance.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/results/table.hpp"

namespace dse::results {

/// Folder of the shards of a results file while its sweep is running: `<file>.shards`.
std::filesystem::path shard_folder(const std::filesystem::path& file);

/// The shards in a folder, sorted by name; none if the folder does not exist.
std::vector<std::filesystem::path> shards_in(const std::filesystem::path& folder);

/// Whether to resume an existing output or to start anew.
enum class Start : std::uint8_t { resume, fresh };

/// The output of one sweep, owned by one process (rank 0) from the first point to the finished file.
///
/// It is created before the first point is evaluated, so that all problems with the output show at once: a
/// folder of that name, missing write permission, a full disk, another dse working on it, an unrelated file,
/// rows of a sweep that has changed since. If the time limit of points has grown, timed-out points are
/// evaluated again.
class SweepOutput {
  public:
    /// With Start::fresh, shards are removed and a finished file, even a damaged one, is moved to
    /// "<file>.previous", or to "<file>.previous.2", … if there is one.
    /// \throws InputError with the problem; for a changed sweep with the list of differences
    SweepOutput(std::filesystem::path file, ResultSchema schema, Provenance provenance, Start start,
                const Logger& log);
    ~SweepOutput();
    SweepOutput(SweepOutput&&) noexcept;
    SweepOutput& operator=(SweepOutput&&) = delete;

    /// Indices settled by earlier runs.
    [[nodiscard]] const IntervalSet& covered() const;

    /// Number of rows of earlier runs.
    [[nodiscard]] std::uint64_t rows_found() const;

    [[nodiscard]] std::filesystem::path shard_folder() const;

    /// Schema of the rows.
    [[nodiscard]] const ResultSchema& schema() const;

    /// Number of indices settled so far, this run included. \pre as for finish()
    [[nodiscard]] std::uint64_t settled();

    /// Visits all rows so far, in blocks. Shards started later may add more.
    /// \pre as for finish()
    void each(const BlockVisitor& visit);

    /// Signals to other processes that this sweep is alive. To be called every few seconds; cheap if called
    /// more often.
    void heartbeat();

    /// Merges all shards and an existing finished file into the finished file, then removes the shards and
    /// the remains of killed runs. A shard that cannot be opened is kept as long as points are missing from
    /// the file.
    /// \param watch  called with every row of the finished file, in blocks; may be empty
    /// \pre every rank has flushed its shard
    MergeSummary finish(const BlockVisitor& watch = {});

  private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace dse::results
