#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "results/finished_columns.hpp"
#include "results/hdf5/attribute.hpp"
#include "results/hdf5/library.hpp"
#include "results/read_table.hpp"
#include "results/row_source.hpp"
#include "results/seal.hpp"

namespace dse::results {
namespace {

std::vector<std::string> read_long_texts(const h5::File& file) {
    const h5::Dataset data = h5::Dataset::open(file, long_reason_texts_dataset);
    const h5::Handle type = h5::text_type(file);
    std::vector<char*> pointers(data.size(), nullptr);
    data.read(0, data.size(), type.id(), pointers.data());
    std::vector<std::string> texts;
    for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
    const h5::Handle space = h5::own(H5Dget_space(data.id()), H5Sclose, "read", file.path());
    H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
    return texts;
}

template <class T>
std::vector<T> read_all(const h5::Dataset& data, hid_t type) {
    std::vector<T> values(data.size());
    data.read(0, data.size(), type, values.data());
    return values;
}

class FinishedSource final : public RowSource {
  public:
    explicit FinishedSource(const std::filesystem::path& path)
        : file_{h5::File::open(path)},
          header_{read_header(file_, results_kind)},
          layout_{header_.schema},
          ids_{h5::Dataset::open(file_, point_id_dataset)},
          status_{h5::Dataset::open(file_, status_dataset)},
          reason_{h5::Dataset::open(file_, reason_dataset)},
          wall_seconds_{h5::Dataset::open(file_, wall_seconds_dataset)},
          rank_{h5::Dataset::open(file_, rank_dataset)},
          hosts_{h5::read_texts(file_, file_.id(), hosts_attribute)} {
        open_values();
        read_side_tables();
        check_lengths();
    }

    [[nodiscard]] const std::string& path() const override { return file_.path(); }
    [[nodiscard]] const Header& header() const override { return header_; }
    [[nodiscard]] std::uint64_t rows() const override { return ids_.size(); }

    void read(std::uint64_t first, std::uint64_t count, std::byte* rows) const override {
        const std::size_t stride = layout_.bytes();
        std::memset(rows, 0, count * stride);
        const auto row = [&](std::uint64_t i) { return RowWriter{layout_, rows + i * stride}; };
        read_fixed(first, count, row);
        read_reasons(first, count, row);
        for (std::size_t c = 0; c < values_.size(); ++c) {
            const auto values = read_values(values_[c], file_, columns_[c], first, count);
            for (std::uint64_t i = 0; i < count; ++i) row(i).set_value(c, values[i]);
        }
        for (std::uint64_t i = 0; i < count; ++i) row(i).seal(header_.schema.sweep.digest);
    }

    [[nodiscard]] const std::string* long_reason(std::uint64_t point_id) const override {
        const auto found = long_reasons_.find(point_id);
        return found == long_reasons_.end() ? nullptr : &found->second;
    }

    [[nodiscard]] const std::vector<Coverage>& coverage() const override { return coverage_; }
    [[nodiscard]] const std::vector<std::string>& hosts() const override { return hosts_; }
    [[nodiscard]] std::uint16_t host(std::uint64_t row) const override { return host_.at(row); }

  private:
    void open_values() {
        for (const Column& column : header_.schema.points) {
            values_.push_back(h5::Dataset::open(file_, dataset_name(column)));
            columns_.push_back(column);
        }
        for (const MetricColumn& metric : header_.schema.metrics) {
            values_.push_back(h5::Dataset::open(file_, dataset_name(metric)));
            columns_.push_back(
                {.name = metric.name, .kind = ColumnKind::real, .unit = metric.unit, .labels = {}});
        }
    }

    void read_side_tables() {
        for (const CoverageRow& row :
             read_table<CoverageRow>(file_, coverage_dataset, coverage_type(file_))) {
            coverage_.push_back(row.coverage);
        }
        host_ = read_all<std::uint16_t>(h5::Dataset::open(file_, host_dataset), H5T_NATIVE_UINT16);
        const auto ids =
            read_all<std::uint64_t>(h5::Dataset::open(file_, long_reason_ids_dataset), H5T_NATIVE_UINT64);
        std::vector<std::string> texts = read_long_texts(file_);
        if (ids.size() != texts.size()) refuse_lengths(long_reason_texts_dataset);
        for (std::size_t i = 0; i < ids.size(); ++i) long_reasons_.emplace(ids[i], std::move(texts[i]));
    }

    void check_lengths() const {
        for (const h5::Dataset* data : {&status_, &reason_, &wall_seconds_, &rank_}) check_length(*data);
        for (const h5::Dataset& data : values_) check_length(data);
        if (host_.size() != rows()) refuse_lengths(host_dataset);
        for (const std::uint16_t host : host_) {
            if (host >= hosts_.size()) refuse_lengths(hosts_attribute);
        }
    }

    void check_length(const h5::Dataset& data) const {
        if (data.size() != rows()) refuse_lengths(data.name());
    }

    [[noreturn]] void refuse_lengths(std::string_view name) const {
        throw InputError(fmt::format(
            "'{}' is no whole results file of dse: '{}' has another length than the rest", path(), name));
    }

    template <class RowAt>
    void read_fixed(std::uint64_t first, std::uint64_t count, RowAt row) const {
        std::vector<std::uint64_t> ids(count);
        std::vector<std::uint8_t> status(count);
        std::vector<double> seconds(count);
        std::vector<std::int32_t> ranks(count);
        ids_.read(first, count, H5T_NATIVE_UINT64, ids.data());
        status_.read(first, count, status_type(file_).id(), status.data());
        wall_seconds_.read(first, count, H5T_NATIVE_DOUBLE, seconds.data());
        rank_.read(first, count, H5T_NATIVE_INT32, ranks.data());
        for (std::uint64_t i = 0; i < count; ++i) {
            row(i).set_point_id(ids[i]);
            row(i).set_status(static_cast<space::Status>(status[i]));
            row(i).set_wall_seconds(seconds[i]);
            row(i).set_rank(ranks[i]);
        }
    }

    template <class RowAt>
    void read_reasons(std::uint64_t first, std::uint64_t count, RowAt row) const {
        std::vector<char> text(count * inline_reason_bytes);
        reason_.read(first, count, reason_type(file_, inline_reason_bytes).id(), text.data());
        std::vector<std::uint64_t> ids(count);
        ids_.read(first, count, H5T_NATIVE_UINT64, ids.data());
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string_view field{text.data() + i * inline_reason_bytes, inline_reason_bytes};
            const std::string_view reason = field.substr(0, field.find('\0'));
            const std::string* whole = long_reason(ids[i]);
            const std::size_t length = whole == nullptr ? reason.size() : whole->size();
            row(i).set_stored_reason(reason, static_cast<std::uint32_t>(length));
        }
    }

    h5::File file_;
    Header header_;
    RowLayout layout_;
    h5::Dataset ids_;
    h5::Dataset status_;
    h5::Dataset reason_;
    h5::Dataset wall_seconds_;
    h5::Dataset rank_;
    std::vector<std::string> hosts_;
    std::vector<h5::Dataset> values_;
    std::vector<Column> columns_;  ///< beside values_: the point's, then the metrics as real columns
    std::vector<std::uint16_t> host_;
    std::vector<Coverage> coverage_;
    std::map<std::uint64_t, std::string> long_reasons_;
};

}  // namespace

std::unique_ptr<RowSource> open_finished(const std::filesystem::path& path) {
    check_seal(path);
    return std::make_unique<FinishedSource>(path);
}

}  // namespace dse::results
