#include "results/column_cursor.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "results/finished_columns.hpp"
#include "results/hdf5/attribute.hpp"
#include "results/hdf5/library.hpp"

namespace dse::results {
namespace {

std::vector<std::string> read_texts(const h5::Dataset& data, const h5::File& file, std::uint64_t first,
                                    std::uint64_t count) {
    const h5::Handle type = h5::text_type(file);
    std::vector<char*> pointers(count, nullptr);
    data.read(first, count, type.id(), pointers.data());
    std::vector<std::string> texts;
    for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
    const hsize_t extent = count;
    const h5::Handle space = h5::own(H5Screate_simple(1, &extent, nullptr), H5Sclose, "read", file.path());
    H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
    return texts;
}

/// The side table of long reasons, read in parallel with the rows.
class LongReasons {
  public:
    LongReasons(const FinishedDatasets& columns, const h5::File& file) : columns_{&columns}, file_{&file} {}

    /// The full reason of a point; null if the column of reasons has it. \pre ids ascend from call to call
    const std::string* of(std::uint64_t point_id) {
        do {
            while (at_ < ids_.size() && ids_[at_] < point_id) ++at_;
            if (at_ < ids_.size()) return ids_[at_] == point_id ? &texts_[at_] : nullptr;
        } while (read_more());
        return nullptr;
    }

  private:
    bool read_more() {
        const std::uint64_t count = std::min(long_reason_chunk, columns_->long_reason_ids.size() - next_);
        if (count == 0) return false;
        ids_ = read_block<std::uint64_t>(columns_->long_reason_ids, next_, count, H5T_NATIVE_UINT64);
        texts_ = read_texts(columns_->long_reason_texts, *file_, next_, count);
        next_ += count;
        at_ = 0;
        return true;
    }

    const FinishedDatasets* columns_;
    const h5::File* file_;
    std::uint64_t next_{0};
    std::vector<std::uint64_t> ids_;
    std::vector<std::string> texts_;
    std::size_t at_{0};
};

class ColumnCursor final : public RowCursor {
  public:
    ColumnCursor(const FinishedDatasets& columns, const h5::File& file, std::size_t hosts)
        : columns_{&columns},
          file_{&file},
          hosts_{hosts},
          status_type_{status_type(file)},
          reason_bytes_{results::reason_bytes(columns, file)},
          reason_type_{reason_type(file, reason_bytes_)},
          long_reasons_{columns, file},
          row_values_(columns.values.size()) {}

    bool next(Row& row) override {
        if (at_ == ids_.size() && !read_more()) return false;
        for (std::size_t c = 0; c < values_.size(); ++c) row_values_[c] = values_[c][at_];
        row = {.point_id = ids_[at_],
               .status = static_cast<space::Status>(status_[at_]),
               .reason = reason(at_),
               .values = row_values_,
               .wall_seconds = seconds_[at_],
               .rank = ranks_[at_],
               .host = row_hosts_[at_]};
        ++at_;
        return true;
    }

  private:
    bool read_more() {
        const std::uint64_t count = std::min(column_chunk, columns_->rows() - next_);
        if (count == 0) return false;
        ids_ = read_block<std::uint64_t>(columns_->point_id, next_, count, H5T_NATIVE_UINT64);
        status_ = read_block<std::uint8_t>(columns_->status, next_, count, status_type_.id());
        seconds_ = read_block<double>(columns_->wall_seconds, next_, count, H5T_NATIVE_DOUBLE);
        ranks_ = read_block<std::int32_t>(columns_->rank, next_, count, H5T_NATIVE_INT32);
        row_hosts_ = read_block<std::uint16_t>(columns_->host, next_, count, H5T_NATIVE_UINT16);
        reasons_.resize(count * reason_bytes_);
        columns_->reason.read(next_, count, reason_type_.id(), reasons_.data());
        values_.clear();
        for (std::size_t c = 0; c < columns_->values.size(); ++c) {
            values_.push_back(read_values(columns_->values[c], *file_, columns_->columns[c], next_, count));
        }
        next_ += count;
        at_ = 0;
        check_block();
        return true;
    }

    /// Violations that an undamaged file cannot have, but an unsealed one can.
    void check_block() {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            if (any_ && ids_[i] <= last_id_) refuse("its rows are not in the order of their points");
            any_ = true;
            last_id_ = ids_[i];
            const bool known = status_[i] >= static_cast<std::uint8_t>(space::Status::ok) &&
                               status_[i] <= static_cast<std::uint8_t>(space::Status::timed_out);
            if (!known) refuse("a row has an unknown status");
            if (row_hosts_[i] >= hosts_) refuse("a row names a machine that is not listed");
        }
    }

    [[noreturn]] void refuse(std::string_view why) const {
        throw InputError(fmt::format("'{}' is not a complete results file of dse: {}", file_->path(), why));
    }

    [[nodiscard]] std::string_view reason(std::size_t i) {
        if (const std::string* whole = long_reasons_.of(ids_[i])) return *whole;
        const std::string_view field{reasons_.data() + i * reason_bytes_, reason_bytes_};
        return field.substr(0, field.find('\0'));
    }

    const FinishedDatasets* columns_;
    const h5::File* file_;
    std::size_t hosts_;
    h5::Handle status_type_;
    std::size_t reason_bytes_;
    h5::Handle reason_type_;
    LongReasons long_reasons_;
    std::uint64_t next_{0};  ///< first row after the block
    std::vector<std::uint64_t> ids_;
    std::vector<std::uint8_t> status_;
    std::vector<double> seconds_;
    std::vector<std::int32_t> ranks_;
    std::vector<std::uint16_t> row_hosts_;
    std::vector<char> reasons_;
    std::vector<std::vector<double>> values_;
    std::vector<double> row_values_;
    std::size_t at_{0};
    std::uint64_t last_id_{0};
    bool any_{false};
};

}  // namespace

std::unique_ptr<RowCursor> column_cursor(const FinishedDatasets& columns, const h5::File& file,
                                         std::size_t hosts) {
    return std::make_unique<ColumnCursor>(columns, file, hosts);
}

std::size_t reason_bytes(const FinishedDatasets& columns, const h5::File& file) {
    return h5::check(H5Tget_size(columns.reason.stored_type().id()), "read", file.path());
}

}  // namespace dse::results
