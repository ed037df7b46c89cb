#include "dse/results/hdf5_shard_sink.hpp"

#include <chrono>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"
#include "results/hdf5/dataset.hpp"
#include "results/header.hpp"
#include "results/row_layout.hpp"
#include "results/shard_tables.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

/// Unique over ranks, hosts, processes and time, so that no run ever appends to the shard of another.
std::string shard_name(std::int32_t rank, const std::string& host) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    return fmt::format("rank-{:05}-{}-{}-{:x}.h5", rank, host, getpid(), microseconds);
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
}

void move_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error) throw InputError(fmt::format("cannot make '{}': {}", to.string(), error.message()));
}

/// A table of a shard with the memory type of its rows.
struct ShardTable {
    h5::Handle type;
    h5::Dataset data;

    static ShardTable create(const h5::File& file, const char* name, h5::Handle type) {
        h5::Handle stored{H5Tcopy(type.id()), H5Tclose};
        h5::Dataset data =
            h5::Dataset::create(file, name, std::move(stored), shard_chunk, h5::Compression::none);
        return {std::move(type), std::move(data)};
    }

    void append(const void* rows, std::size_t count) { data.append(rows, count, type.id()); }
};

/// The open file. Made as "….tmp", so that a kill before the first flush leaves nothing that a reader opens.
class OpenShard {
  public:
    OpenShard(const fs::path& path, const Header& header)
        : OpenShard(path, header, h5::File::create(path.string() + ".tmp")) {}

    void flush() {
        file_.flush();
        if (!published_) publish();
    }

    ShardTable& rows() { return rows_; }
    ShardTable& coverage() { return coverage_; }
    ShardTable& reasons() { return reasons_; }

  private:
    OpenShard(const fs::path& path, const Header& header, h5::File file)
        : path_{path},
          file_{std::move(file)},
          rows_{ShardTable::create(file_, rows_table, row_type(file_, header.schema))},
          coverage_{ShardTable::create(file_, coverage_table, coverage_type(file_))},
          reasons_{ShardTable::create(file_, long_reasons_table, reason_piece_type(file_))} {
        write_header(file_, shard_kind, header);
    }

    void publish() {
        move_file(file_.path(), path_);
        file_.moved_to(path_);
        published_ = true;
    }

    fs::path path_;
    h5::File file_;
    ShardTable rows_;
    ShardTable coverage_;
    ShardTable reasons_;
    bool published_{false};
};

}  // namespace

class Hdf5ShardSink::Shard {
  public:
    Shard(fs::path folder, Header header, std::int32_t rank)
        : path_{std::move(folder) / shard_name(rank, header.provenance.host)},
          header_{std::move(header)},
          layout_{header_.schema},
          rank_{rank} {}

    void write(const space::Record& record) {
        require_usable();
        rows_.resize(rows_.size() + layout_.bytes());
        std::byte* const row = rows_.data() + rows_.size() - layout_.bytes();
        pack(layout_, record, rank_, header_.schema.sweep.digest, row);
        if (record.reason.size() > inline_reason_bytes) {
            const auto pieces = pieces_of(record.point.id, record.reason);
            pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
        }
    }

    void cover(const Coverage& coverage) { coverage_.push_back(sealed(coverage)); }

    void flush() {
        require_usable();
        if (rows_.empty() && coverage_.empty()) return;
        usable_ = false;
        if (!open_) open();
        append_pending();
        open_->flush();
        usable_ = true;
    }

    [[nodiscard]] fs::path path() const { return open_ ? path_ : fs::path{}; }

  private:
    void require_usable() const {
        if (!usable_)
            throw InputError(fmt::format("'{}' takes no more rows after a failed write", path_.string()));
    }

    void open() {
        make_folder(path_.parent_path());
        open_.emplace(path_, header_);
    }

    /// Coverage last: it vouches for rows.
    void append_pending() {
        open_->reasons().append(pieces_.data(), pieces_.size());
        open_->rows().append(rows_.data(), rows_.size() / layout_.bytes());
        open_->coverage().append(coverage_.data(), coverage_.size());
        pieces_.clear();
        rows_.clear();
        coverage_.clear();
    }

    fs::path path_;
    Header header_;
    RowLayout layout_;
    std::int32_t rank_;
    std::vector<std::byte> rows_;
    std::vector<ReasonPiece> pieces_;
    std::vector<CoverageRow> coverage_;
    std::optional<OpenShard> open_;
    bool usable_{true};
};

Hdf5ShardSink::Hdf5ShardSink(fs::path folder, ResultSchema schema, Provenance provenance, std::int32_t rank) {
    validate(schema);
    shard_ =
        std::make_unique<Shard>(std::move(folder), Header{std::move(schema), std::move(provenance)}, rank);
}

Hdf5ShardSink::~Hdf5ShardSink() = default;

void Hdf5ShardSink::write(std::span<const space::Record> records) {
    for (const space::Record& record : records) shard_->write(record);
}

void Hdf5ShardSink::cover(const Coverage& coverage) {
    shard_->cover(coverage);
}

void Hdf5ShardSink::flush() {
    shard_->flush();
}

fs::path Hdf5ShardSink::path() const {
    return shard_->path();
}

}  // namespace dse::results
