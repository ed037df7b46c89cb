#include "dse/results/sweep_output.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "results/finished_columns.hpp"
#include "results/finished_file.hpp"
#include "results/row_blocks.hpp"
#include "results/row_merger.hpp"
#include "results/seal.hpp"
#include "results/shard_source.hpp"
#include "results/time_limit.hpp"
#include "results/work_folder.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

/// Of shards written by an earlier version of dse, which cannot be read; the user is told.
constexpr const char* earlier_extension = ".h5";

void require_possible(const fs::path& file) {
    std::error_code ignored;
    if (file.empty() || !file.has_filename()) {
        throw InputError(fmt::format("'{}' cannot be a results file: it names a folder", file.string()));
    }
    if (fs::is_directory(file, ignored)) {
        throw InputError(fmt::format("cannot write results to '{}': it is a directory", file.string()));
    }
    if (fs::is_regular_file(file, ignored) && !looks_finished(file)) {
        throw InputError(
            fmt::format("cannot write results to '{}': it already exists, and does not contain results "
                        "(choose another name with -o)",
                        file.string()));
    }
}

void require_same_sweep(const RowSource& source, const ResultSchema& wanted) {
    const ResultSchema& found = source.header().schema;
    const std::vector<std::string> lines = differences(found, with_time_limit_of(found, wanted));
    if (lines.empty()) return;
    throw InputError(
        fmt::format("'{}' holds results of another sweep (the sweep or its --set were changed; -o OTHER.h5 "
                    "keeps both, --fresh starts over):\n  {}",
                    source.path(), fmt::join(lines, "\n  ")));
}

}  // namespace

fs::path shard_folder(const fs::path& file) {
    return file.string() + ".shards";
}

std::vector<fs::path> shards_in(const fs::path& folder) {
    std::vector<fs::path> shards;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, none}) {
        const std::string extension = entry.path().extension();
        if (extension == shard_extension || extension == earlier_extension) shards.push_back(entry.path());
    }
    std::sort(shards.begin(), shards.end());
    return shards;
}

class SweepOutput::State {
  public:
    State(fs::path path, ResultSchema wanted, Provenance by, Start start, const Logger& logger)
        : file{std::move(path)},
          header{.schema = std::move(wanted), .provenance = std::move(by)},
          log{logger},
          folder{results::shard_folder(file)} {
        if (start == Start::fresh) begin_anew();
        look_at_finished();
        for (const fs::path& shard : shards_in(folder.path())) look_at_shard(shard);
    }

    MergeSummary finish(const BlockVisitor& watch) {
        open_all();
        const bool nothing_new = sources_.size() == 1 && fs::exists(file);
        const MergeSummary summary = nothing_new ? look_over(watch) : merged(watch);
        sources_.clear();
        opened_.clear();
        // As long as points are missing, shards that cannot be opened may still be of interest to the user.
        if (summary.covered >= header.schema.sweep.points) unread_.clear();
        remove_work(unread_);
        return summary;
    }

    std::uint64_t settled() {
        open_all();
        return covered_by(sources_).count();
    }

    void each(const BlockVisitor& visit) {
        open_all();
        RowBlocks blocks{sources_, folder.path()};
        Table block = empty_table(header);
        while (blocks.next(block, column_chunk)) visit(block);
    }

    fs::path file;
    Header header;
    Logger log;
    WorkFolder folder;
    IntervalSet covered;
    std::uint64_t rows_found{0};

  private:
    MergeSummary merged(const BlockVisitor& watch) {
        try {
            return merge_rows(sources_, header, file, watch);
        } catch (const InputError& error) {
            throw InputError(
                fmt::format("{}\nEvery finished row is safe in {}; the same command resumes the "
                            "sweep and writes the file again",
                            error.what(), folder.path().string()));
        }
    }

    /// Removes shards, complete or not, and crash records: of this run, and of killed runs, even if they were
    /// killed while removing them.
    void remove_work(const std::set<fs::path>& spared) {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator{folder.path(), ignored}) {
            const std::string name = entry.path().filename().string();
            const bool ours = name.starts_with("rank-") || name.starts_with("crash");
            if (ours && !spared.contains(entry.path())) fs::remove(entry.path(), ignored);
        }
    }

    void begin_anew() {
        remove_work({});
        if (!fs::exists(file)) return;
        const fs::path previous = name_for_previous();
        fs::rename(file, previous);
        log.info("the previous results have been moved to '{}'", previous.string());
    }

    /// FILE.previous, or the first of FILE.previous.2, FILE.previous.3, … that does not exist.
    [[nodiscard]] fs::path name_for_previous() const {
        fs::path name = file.string() + ".previous";
        for (int i = 2; fs::exists(fs::symlink_status(name)); ++i)
            name = fmt::format("{}.previous.{}", file.string(), i);
        return name;
    }

    void look_at_finished() {
        if (!fs::exists(file)) return;
        std::unique_ptr<RowSource> source = finished_to_go_on_with();
        require_same_sweep(*source, header.schema);
        header.unsealed = source->header().unsealed;
        look_at(*counting(std::move(source)));
    }

    /// Points that timed out under a shorter limit than the current one are evaluated again.
    std::unique_ptr<RowSource> counting(std::unique_ptr<RowSource> source) const {
        const bool has_more = time_limit_of(header.schema) > time_limit_of(source->header().schema);
        return has_more ? without_timed_out(std::move(source)) : std::move(source);
    }

    std::unique_ptr<RowSource> finished_to_go_on_with() {
        std::unique_ptr<RowSource> source;
        try {
            source = open_finished(file);
        } catch (const InputError& error) {
            if (!looks_finished(file)) throw;  // nothing that --fresh would move away
            throw InputError(fmt::format("{} (--fresh starts over and keeps it as '{}.previous')",
                                         error.what(), file.string()));
        }
        const std::string& version = source->header().version;
        if (is_current(version)) return source;
        throw InputError(
            fmt::format("'{}' has results of schema version {}, which this version cannot resume (--fresh "
                        "starts over and keeps it as '{}.previous')",
                        file.string(), version, file.string()));
    }

    /// Summarizes a file that needs no merging.
    MergeSummary look_over(const BlockVisitor& watch) {
        const Scan& found = sources_.front()->scan();
        if (watch) {
            RowBlocks blocks{sources_, {}};
            Table block = empty_table(sources_.front()->header());
            while (blocks.next(block, column_chunk)) watch(block);
        }
        return {.rows = found.rows, .failures = found.failures, .covered = found.covered.count()};
    }

    /// If a shard cannot be opened, only its rows are lost, which are then evaluated again.
    void look_at_shard(const fs::path& path) {
        std::unique_ptr<RowSource> source = open_or_skip(path);
        if (source == nullptr) return;
        require_same_sweep(*source, header.schema);
        look_at(*counting(std::move(source)));
    }

    void look_at(RowSource& source) {
        const Scan& found = source.scan();
        std::vector<Interval> all = covered.intervals();
        all.insert(all.end(), found.covered.intervals().begin(), found.covered.intervals().end());
        covered = IntervalSet{std::move(all)};
        rows_found += found.rows;
        if (found.lost > 0) {
            log.warning("'{}': {} record{} damaged; the affected points are evaluated again", source.path(),
                        found.lost, found.lost == 1 ? " is" : "s are");
        }
    }

    std::unique_ptr<RowSource> open_or_skip(const fs::path& path) {
        try {
            return open_shard(path);
        } catch (const InputError& error) {
            log.warning("{}; its points are evaluated again", error.what());
            return nullptr;
        }
    }

    /// Opens the files that are not open yet.
    void open_all() {
        if (sources_.empty() && fs::exists(file)) sources_.push_back(counting(open_finished(file)));
        for (const fs::path& path : shards_in(folder.path())) {
            if (!opened_.insert(path).second) continue;
            auto source = open_or_skip(path);
            if (source == nullptr) {
                unread_.insert(path);
            } else {
                sources_.push_back(counting(std::move(source)));
            }
        }
    }

    Sources sources_;            // of the finished file, if there is one, then of shards
    std::set<fs::path> opened_;  // shards that were opened, or could not be
    std::set<fs::path> unread_;  // the latter
};

SweepOutput::SweepOutput(fs::path file, ResultSchema schema, Provenance provenance, Start start,
                         const Logger& log) {
    validate(schema);
    require_possible(file);
    state_ = std::make_unique<State>(std::move(file), std::move(schema), std::move(provenance), start, log);
}

SweepOutput::~SweepOutput() = default;
SweepOutput::SweepOutput(SweepOutput&&) noexcept = default;

const IntervalSet& SweepOutput::covered() const {
    return state_->covered;
}

std::uint64_t SweepOutput::rows_found() const {
    return state_->rows_found;
}

fs::path SweepOutput::shard_folder() const {
    return state_->folder.path();
}

const ResultSchema& SweepOutput::schema() const {
    return state_->header.schema;
}

std::uint64_t SweepOutput::settled() {
    return state_->settled();
}

void SweepOutput::each(const BlockVisitor& visit) {
    state_->each(visit);
}

void SweepOutput::heartbeat() {
    state_->folder.heartbeat();
}

MergeSummary SweepOutput::finish(const BlockVisitor& watch) {
    return state_->finish(watch);
}

}  // namespace dse::results
