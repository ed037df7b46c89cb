#include "results/shard_source.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "results/claims.hpp"
#include "results/inline_reason.hpp"

namespace dse::results {
namespace {

constexpr std::size_t scan_buffer = std::size_t{1} << 20U;

std::uint64_t size_of(const std::filesystem::path& path, const std::string& shown) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error) throw InputError(fmt::format("cannot read '{}': {}", shown, error.message()));
    return size;
}

class ShardCursor final : public RowCursor {
  public:
    ShardCursor(LogReader reader, RowShape shape) : reader_{std::move(reader)}, shape_{shape} {}

    bool next(Row& row) override {
        LogRecord record;
        while (reader_.next(record)) {
            if (record.kind != RecordKind::row) continue;
            row = decode_row(record.payload, shape_, values_);
            return true;
        }
        return false;
    }

  private:
    LogReader reader_;
    RowShape shape_;
    std::vector<double> values_;
};

std::size_t shown_length(std::string_view reason) {
    return is_cut(reason) ? cut_reason(reason).size() : reason.size();
}

/// Finds the boundaries between runs.
class RunFinder {
  public:
    void add(std::uint64_t point_id, std::uint64_t offset) {
        if (runs_.empty() || point_id <= last_) begin_run(offset);
        last_ = point_id;
    }

    std::vector<FileRange> take(std::uint64_t end) {
        if (!runs_.empty()) runs_.back().end = end;
        return std::move(runs_);
    }

  private:
    void begin_run(std::uint64_t offset) {
        if (!runs_.empty()) runs_.back().end = offset;
        runs_.push_back({offset, offset});
    }

    std::vector<FileRange> runs_;
    std::uint64_t last_{0};
};

}  // namespace

ShardSource::ShardSource(std::filesystem::path path, std::string shown)
    : path_{std::move(path)}, shown_{std::move(shown)}, size_{size_of(path_, shown_)} {
    LogReader reader{path_, {0, size_}, salt_, scan_buffer};
    LogRecord record;
    if (!reader.next(record) || record.kind != RecordKind::header) {
        throw InputError(fmt::format("'{}' is not a whole shard: it does not say what its rows are", shown_));
    }
    try {
        header_ = decode_header(record.payload);
    } catch (const InputError& error) {
        throw InputError(fmt::format("cannot read the shard '{}': {}", shown_, error.what()));
    }
    salt_ = salt_of(record.payload);
}

ShardSource::ShardSource(AppendFile file, std::string shown) : ShardSource{file.path(), std::move(shown)} {
    kept_.emplace(std::move(file));
}

const Scan& ShardSource::scan() {
    if (!scan_) read_all();
    return *scan_;
}

void ShardSource::read_all() {
    Scan found;
    Claims claims;
    RunFinder runs;
    const RowShape shape{header().schema};
    std::vector<double> values;
    LogReader reader{path_, {0, size_}, salt_, scan_buffer};
    LogRecord record;
    while (reader.next(record)) {
        if (record.kind == RecordKind::coverage) claims.add_claim(decode_coverage(record.payload));
        if (record.kind != RecordKind::row) continue;
        const Row row = decode_row(record.payload, shape, values);
        claims.add_row(row.point_id);
        runs.add(row.point_id, record.offset);
        ++found.rows;
        if (space::is_failure(row.status)) ++found.failures;
        found.longest_reason = std::max(found.longest_reason, shown_length(row.reason));
    }
    found.lost = reader.lost();
    found.covered = claims.take();
    runs_ = runs.take(size_);
    found.runs = runs_.size();
    scan_ = std::move(found);
}

std::vector<std::unique_ptr<RowCursor>> ShardSource::runs(std::size_t buffer) {
    static_cast<void>(scan());
    std::vector<std::unique_ptr<RowCursor>> cursors;
    for (const FileRange& range : runs_) {
        cursors.push_back(
            std::make_unique<ShardCursor>(LogReader{path_, range, salt_, buffer}, RowShape{header().schema}));
    }
    return cursors;
}

std::unique_ptr<RowCursor> ShardSource::rows_as_written(std::size_t buffer) const {
    return std::make_unique<ShardCursor>(LogReader{path_, {0, size_}, salt_, buffer},
                                         RowShape{header().schema});
}

std::unique_ptr<ShardSource> open_shard(const std::filesystem::path& path) {
    return std::make_unique<ShardSource>(path, path.string());
}

}  // namespace dse::results
