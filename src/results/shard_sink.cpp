#include "dse/results/shard_sink.hpp"

#include <chrono>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/results/record_columns.hpp"
#include "results/log/append_file.hpp"
#include "results/shard_records.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

/// Unique over ranks, hosts, processes and time, so that no run ever appends to the shard of another.
std::string shard_name(std::int32_t rank, const std::string& host) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    return fmt::format("rank-{:05}-{}-{}-{:x}{}", rank, host, getpid(), microseconds, shard_extension);
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
}

}  // namespace

class ShardSink::Shard {
  public:
    Shard(const fs::path& folder, Header header, std::int32_t rank)
        : shape_{header.schema}, rank_{rank}, columns_{header.schema.metrics} {
        const std::string host = header.provenance.host;
        const std::string name = shard_name(rank, host);
        path_ = folder / name;
        const std::vector<std::byte> content =
            encode(LogHeader{.header = std::move(header), .hosts = {host}, .name = name});
        salt_ = salt_of(content);
        // Twice, so that a flipped bit in one of them does no harm.
        for (int copy = 0; copy < 2; ++copy) {
            add(RecordKind::header,
                [&](std::vector<std::byte>& to) { to.insert(to.end(), content.begin(), content.end()); });
        }
    }

    void write(const space::Record& record) {
        require_usable();
        const Row row = row_of(record);
        add(RecordKind::row, [&](std::vector<std::byte>& to) { encode(row, shape_, to); });
        pending_ = true;
    }

    void cover(const Coverage& coverage) {
        coverage_.push_back(coverage);
        pending_ = true;
    }

    /// Coverage last, because it vouches for rows.
    void flush() {
        require_usable();
        if (!pending_) return;
        usable_ = false;
        for (const Coverage& range : coverage_) {
            add(RecordKind::coverage, [&](std::vector<std::byte>& to) { encode(range, to); });
        }
        if (!file_) open();
        file_->append(batch_.bytes());
        batch_.clear();
        coverage_.clear();
        pending_ = false;
        usable_ = true;
    }

    [[nodiscard]] fs::path path() const { return file_ ? path_ : fs::path{}; }

  private:
    void require_usable() const {
        if (!usable_)
            throw InputError(fmt::format("'{}' takes no more rows after a failed write", path_.string()));
    }

    void open() {
        make_folder(path_.parent_path());
        file_.emplace(path_);
    }

    template <class Encode>
    void add(RecordKind kind, Encode encode_payload) {
        batch_.begin(kind);
        encode_payload(batch_.bytes());
        batch_.end(salt_);
    }

    Row row_of(const space::Record& record) {
        DSE_REQUIRE(record.point.values.size() == shape_.points);
        values_.assign(record.point.values.begin(), record.point.values.end());
        columns_.append(record, values_);
        return {.point_id = record.point.id,
                .status = record.status,
                .reason = record.reason,
                .values = values_,
                .wall_seconds = record.wall_seconds,
                .rank = rank_,
                .host = 0};
    }

    fs::path path_;
    RowShape shape_;
    std::int32_t rank_;
    std::uint64_t salt_{0};
    RecordWriter batch_;
    std::vector<Coverage> coverage_;
    RecordColumns columns_;
    std::vector<double> values_;
    std::optional<AppendFile> file_;
    bool pending_{false};  ///< something besides the header waits for flush()
    bool usable_{true};
};

ShardSink::ShardSink(fs::path folder, ResultSchema schema, Provenance provenance, std::int32_t rank) {
    validate(schema);
    shard_ = std::make_unique<Shard>(
        folder, Header{.schema = std::move(schema), .provenance = std::move(provenance)}, rank);
}

ShardSink::~ShardSink() = default;

void ShardSink::write(std::span<const space::Record> records) {
    for (const space::Record& record : records) shard_->write(record);
}

void ShardSink::cover(const Coverage& coverage) {
    shard_->cover(coverage);
}

void ShardSink::flush() {
    shard_->flush();
}

fs::path ShardSink::path() const {
    return shard_->path();
}

}  // namespace dse::results
