#include <cstring>
#include <map>

#include "dse/base/error.hpp"
#include "results/hdf5/dataset.hpp"
#include "results/read_table.hpp"
#include "results/row_source.hpp"
#include "results/shard_tables.hpp"

namespace dse::results {
namespace {

/// Puts reasons together from their pieces. A point that was evaluated twice has every piece twice, equal
/// ones: the later overwrites the earlier.
std::map<std::uint64_t, std::string> assemble(const std::vector<ReasonPiece>& pieces) {
    struct Partial {
        std::map<std::uint32_t, std::string> parts;
    };
    std::map<std::uint64_t, Partial> partial;
    for (const ReasonPiece& piece : pieces) {
        partial[piece.point_id].parts[piece.offset] = std::string(piece.text, piece.length);
    }
    std::map<std::uint64_t, std::string> reasons;
    for (const auto& [id, reason] : partial) {
        std::string whole;
        for (const auto& [offset, part] : reason.parts) {
            if (offset == whole.size()) whole += part;
        }
        reasons.emplace(id, std::move(whole));
    }
    return reasons;
}

class ShardSource final : public RowSource {
  public:
    explicit ShardSource(const std::filesystem::path& path)
        : file_{h5::File::open(path)},
          header_{read_header(file_, shard_kind)},
          layout_{header_.schema},
          rows_{h5::Dataset::open(file_, rows_table)},
          type_{row_type(file_, header_.schema)},
          long_reasons_{
              assemble(read_table<ReasonPiece>(file_, long_reasons_table, reason_piece_type(file_)))} {
        for (const CoverageRow& row : read_table<CoverageRow>(file_, coverage_table, coverage_type(file_))) {
            coverage_.push_back(row.coverage);
        }
    }

    [[nodiscard]] const std::string& path() const override { return file_.path(); }
    [[nodiscard]] const Header& header() const override { return header_; }
    [[nodiscard]] std::uint64_t rows() const override { return rows_.size(); }

    void read(std::uint64_t first, std::uint64_t count, std::byte* rows) const override {
        try {
            rows_.read(first, count, type_.id(), rows);
        } catch (const InputError&) {
            read_by_chunks(first, count, rows);
        }
    }

    [[nodiscard]] const std::string* long_reason(std::uint64_t point_id) const override {
        const auto found = long_reasons_.find(point_id);
        return found == long_reasons_.end() ? nullptr : &found->second;
    }

    [[nodiscard]] const std::vector<Coverage>& coverage() const override { return coverage_; }
    [[nodiscard]] const std::vector<std::string>& hosts() const override { return hosts_; }
    [[nodiscard]] std::uint16_t host(std::uint64_t) const override { return 0; }

  private:
    /// One chunk that cannot be read must not cost its neighbours.
    void read_by_chunks(std::uint64_t first, std::uint64_t count, std::byte* rows) const {
        while (count > 0) {
            const std::uint64_t part = std::min(count, shard_chunk - first % shard_chunk);
            try {
                rows_.read(first, part, type_.id(), rows);
            } catch (const InputError&) {
                invalidate(part, rows);
            }
            first += part;
            count -= part;
            rows += part * layout_.bytes();
        }
    }

    void invalidate(std::uint64_t count, std::byte* rows) const {
        std::memset(rows, 0, count * layout_.bytes());
        for (std::uint64_t i = 0; i < count; ++i) {
            RowWriter{layout_, rows + i * layout_.bytes()}.invalidate(header_.schema.sweep.digest);
        }
    }

    h5::File file_;
    Header header_;
    RowLayout layout_;
    h5::Dataset rows_;
    h5::Handle type_;
    std::map<std::uint64_t, std::string> long_reasons_;
    std::vector<Coverage> coverage_;
    std::vector<std::string> hosts_{header_.provenance.host};
};

}  // namespace

std::unique_ptr<RowSource> open_shard(const std::filesystem::path& path) {
    return std::make_unique<ShardSource>(path);
}

}  // namespace dse::results
