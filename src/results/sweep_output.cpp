#include "dse/results/sweep_output.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/results/owner_file.hpp"
#include "results/row_merger.hpp"
#include "results/scan.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

void require_possible(const fs::path& file) {
    std::error_code ignored;
    if (file.empty() || !file.has_filename()) {
        throw InputError(fmt::format("'{}' cannot be a results file: it names a folder", file.string()));
    }
    if (fs::is_directory(file, ignored)) {
        throw InputError(fmt::format("cannot write results to '{}': it is a directory", file.string()));
    }
}

fs::path made_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
    }
    return folder;
}

/// The folder of the shards: made when it is not there, removed once nobody's file is in it, also where the
/// output was refused.
struct WorkFolder {
    explicit WorkFolder(const fs::path& folder) : path{made_folder(folder)} {}
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    ~WorkFolder() {
        std::error_code not_empty;
        fs::remove(path, not_empty);
    }

    fs::path path;
};

void require_same_sweep(const RowSource& source, const ResultSchema& wanted) {
    const std::vector<std::string> lines = differences(source.header().schema, wanted);
    if (lines.empty()) return;
    throw InputError(fmt::format(
        "'{}' holds results of another sweep (the sweep was changed since; --fresh begins anew):\n  {}",
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
        if (entry.path().extension() == ".h5") shards.push_back(entry.path());
    }
    std::sort(shards.begin(), shards.end());
    return shards;
}

class SweepOutput::State {
  public:
    State(fs::path path, ResultSchema wanted, Provenance by, Start start, const Logger& logger)
        : file{std::move(path)},
          header{std::move(wanted), std::move(by)},
          log{logger},
          folder{results::shard_folder(file)},
          owner{folder.path / "owner"} {
        if (start == Start::fresh) begin_anew();
        look_at_finished();
        for (const fs::path& shard : shards_in(folder.path)) look_at_shard(shard);
    }

    MergeSummary finish() {
        std::set<fs::path> unread;
        std::vector<std::unique_ptr<RowSource>> sources = open_all(unread);
        const bool nothing_new = sources.size() == 1 && fs::exists(file);
        const MergeSummary summary = nothing_new ? MergeSummary{.rows = sources.front()->rows(),
                                                                .failures = finished_failures_,
                                                                .covered = covered.count()}
                                                 : merge_rows(sources, header, file);
        sources.clear();
        // As long as points are missing, somebody may still want to look at a shard that cannot be opened.
        if (summary.covered >= header.schema.sweep.points) unread.clear();
        remove_work(unread);
        return summary;
    }

    fs::path file;
    Header header;
    Logger log;
    WorkFolder folder;
    OwnerFile owner;  // leaves before the folder goes
    IntervalSet covered;
    std::uint64_t rows_found{0};

  private:
    /// Removes shards, whole ones or begun, and records of crashes: of this run, and of runs that were
    /// killed, be it while they removed them.
    void remove_work(const std::set<fs::path>& spared) {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator{folder.path, ignored}) {
            const std::string name = entry.path().filename().string();
            const bool ours = name.starts_with("rank-") || name.starts_with("crash");
            if (ours && !spared.contains(entry.path())) fs::remove(entry.path(), ignored);
        }
    }

    void begin_anew() {
        remove_work({});
        if (!fs::exists(file)) return;
        open_finished(file);  // what is no results file is not ours to move away
        const fs::path previous = file.string() + ".previous";
        fs::rename(file, previous);
        log.info("the results so far now stand in '{}'", previous.string());
    }

    void look_at_finished() {
        if (!fs::exists(file)) return;
        const auto source = open_finished(file);
        require_same_sweep(*source, header.schema);
        finished_failures_ = look_at(*source).failures;
    }

    /// A shard that cannot be opened costs its rows, which are then evaluated again, and nothing else.
    void look_at_shard(const fs::path& path) {
        std::unique_ptr<RowSource> source = open_or_skip(path);
        if (source == nullptr) return;
        require_same_sweep(*source, header.schema);
        look_at(*source);
    }

    Scan look_at(const RowSource& source) {
        Scan found = scan(source);
        std::vector<Interval> all = covered.intervals();
        all.insert(all.end(), found.covered.intervals().begin(), found.covered.intervals().end());
        covered = IntervalSet{std::move(all)};
        rows_found += found.places.size();
        if (found.invalid_rows > 0) {
            log.warning("'{}': {} rows are torn and will be evaluated again", source.path(),
                        found.invalid_rows);
        }
        return found;
    }

    std::unique_ptr<RowSource> open_or_skip(const fs::path& path) {
        try {
            return open_shard(path);
        } catch (const InputError& error) {
            log.warning("{}; its points are evaluated again", error.what());
            return nullptr;
        }
    }

    /// \param unread  receives the shards that could not be opened
    std::vector<std::unique_ptr<RowSource>> open_all(std::set<fs::path>& unread) {
        std::vector<std::unique_ptr<RowSource>> sources;
        if (fs::exists(file)) sources.push_back(open_finished(file));
        for (const fs::path& path : shards_in(folder.path)) {
            auto source = open_or_skip(path);
            if (source == nullptr) {
                unread.insert(path);
            } else {
                sources.push_back(std::move(source));
            }
        }
        return sources;
    }

    std::uint64_t finished_failures_{0};  ///< rows without an answer in the finished file, as it was found
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
    return state_->folder.path;
}

void SweepOutput::heartbeat() {
    state_->owner.heartbeat();
}

MergeSummary SweepOutput::finish() {
    return state_->finish();
}

}  // namespace dse::results
