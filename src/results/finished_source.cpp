#include "results/finished_source.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "results/column_cursor.hpp"
#include "results/coverage_table.hpp"
#include "results/finished_columns.hpp"
#include "results/finished_datasets.hpp"
#include "results/finished_header.hpp"
#include "results/hdf5/attribute.hpp"

namespace dse::results {
namespace {

class FinishedSource final : public RowSource {
  public:
    explicit FinishedSource(const std::filesystem::path& path)
        : file_{h5::File::open(path)},
          header_{read_header(file_)},
          hosts_{h5::read_texts(file_, file_.id(), hosts_attribute)},
          columns_{file_, header_.schema} {}

    [[nodiscard]] const std::string& path() const override { return file_.path(); }
    [[nodiscard]] const Header& header() const override { return header_; }
    [[nodiscard]] const std::vector<std::string>& hosts() const override { return hosts_; }

    [[nodiscard]] const Scan& scan() override {
        if (!scan_) scan_ = read_status_and_coverage();
        return *scan_;
    }

    [[nodiscard]] std::size_t count_runs() override { return 1; }

    [[nodiscard]] std::vector<std::unique_ptr<RowCursor>> runs(std::size_t buffer) override {
        std::vector<std::unique_ptr<RowCursor>> cursors;
        cursors.push_back(rows_as_written(buffer));
        return cursors;
    }

    /// HDF5 always reads whole chunks, regardless of the buffer.
    [[nodiscard]] std::unique_ptr<RowCursor> rows_as_written(std::size_t) const override {
        return column_cursor(columns_, file_, hosts_.size());
    }

  private:
    /// A range only counts if it has as many rows as the file claims.
    Scan read_status_and_coverage() {
        const std::vector<Coverage> claims = read_coverage(file_);
        Scan found;
        found.rows = columns_.rows();
        found.runs = 1;
        found.longest_reason = reason_bytes(columns_, file_);
        RowCounter counter{intervals_of(claims)};
        for_each_id([&](std::uint64_t id, std::uint8_t status) {
            counter.add(id);
            if (space::is_failure(static_cast<space::Status>(status))) ++found.failures;
        });
        found.covered = borne_out(claims, counter.ranges());
        return found;
    }

    static IntervalSet intervals_of(const std::vector<Coverage>& claims) {
        std::vector<Interval> intervals;
        for (const Coverage& claim : claims) intervals.push_back({claim.first, claim.first + claim.count});
        return IntervalSet{std::move(intervals)};
    }

    /// In an undamaged file, ranges equal those that were counted; if they differ, or rows are missing, each
    /// row counts individually.
    IntervalSet borne_out(const std::vector<Coverage>& claims, const std::vector<Coverage>& counted) {
        if (claims == counted) return intervals_of(claims);
        std::vector<Interval> alone;
        for_each_id([&](std::uint64_t id, std::uint8_t) {
            if (!alone.empty() && alone.back().last == id) {
                ++alone.back().last;
            } else {
                alone.push_back({id, id + 1});
            }
        });
        return IntervalSet{std::move(alone)};
    }

    template <class Visit>
    void for_each_id(Visit visit) {
        const h5::Handle type = status_type(file_);
        for (std::uint64_t first = 0; first < columns_.rows(); first += column_chunk) {
            const std::uint64_t count = std::min(column_chunk, columns_.rows() - first);
            const auto ids = read_block<std::uint64_t>(columns_.point_id, first, count, H5T_NATIVE_UINT64);
            const auto status = read_block<std::uint8_t>(columns_.status, first, count, type.id());
            for (std::uint64_t i = 0; i < count; ++i) visit(ids[i], status[i]);
        }
    }

    h5::File file_;
    Header header_;
    std::vector<std::string> hosts_;
    FinishedDatasets columns_;
    std::optional<Scan> scan_;
};

}  // namespace

std::unique_ptr<RowSource> open_columns(const std::filesystem::path& path) {
    return std::make_unique<FinishedSource>(path);
}

}  // namespace dse::results
