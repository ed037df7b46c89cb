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

/// Where the shards of a results file stand while its sweep is under way: `<file>.shards`.
std::filesystem::path shard_folder(const std::filesystem::path& file);

/// The shards in a folder, by name; none where there is no folder.
std::vector<std::filesystem::path> shards_in(const std::filesystem::path& folder);

/// Whether to go on with what is there, or to begin anew.
enum class Start : std::uint8_t { resume, fresh };

/// The output of one sweep, held by one process (rank 0) from its first point to the finished file.
///
/// Made before the first point is evaluated, so that everything that can be wrong with the place shows at
/// once: a folder of that name, no right to write, a full disk, another dse at work on it, a file of
/// something else, rows of a sweep that was changed since. Where points have more time than before, those
/// that ran out of it are open again.
class SweepOutput {
  public:
    /// With Start::fresh, shards are removed and a finished file, a damaged one too, is moved to
    /// "<file>.previous".
    /// \throws InputError with what is wrong; for a changed sweep with the list of what differs
    SweepOutput(std::filesystem::path file, ResultSchema schema, Provenance provenance, Start start,
                const Logger& log);
    ~SweepOutput();
    SweepOutput(SweepOutput&&) noexcept;
    SweepOutput& operator=(SweepOutput&&) = delete;

    /// Indices that earlier runs have settled.
    [[nodiscard]] const IntervalSet& covered() const;

    /// Rows that earlier runs have left.
    [[nodiscard]] std::uint64_t rows_found() const;

    [[nodiscard]] std::filesystem::path shard_folder() const;

    /// Of the rows.
    [[nodiscard]] const ResultSchema& schema() const;

    /// How many indices are settled by now, those of this run included. \pre as finish()
    [[nodiscard]] std::uint64_t settled();

    /// Shows every row that is there by now, in blocks. Shards that are begun later may add to them.
    /// \pre as finish()
    void each(const BlockVisitor& visit);

    /// Tells others that this sweep is alive; to be called every few seconds, cheap when called more often.
    void heartbeat();

    /// Merges all shards, and the finished file if there is one, into the finished file; then removes the
    /// shards, and what killed runs have left beside them. A shard that cannot be opened is kept as long as
    /// the file lacks points.
    /// \param watch  sees every row of the finished file, in blocks; may be empty
    /// \pre every rank has flushed its shard
    MergeSummary finish(const BlockVisitor& watch = {});

  private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace dse::results
