#include "dse/hardware/device/measured_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/source_text.hpp"

namespace dse::hardware {
namespace {

using config::Diagnostics;
using config::Location;

constexpr std::array<const char*, 5> columns{"operator", "precision", "shape", "bytes", "seconds"};

/// The operators that a cost model distinguishes, without attention, whose time does not follow from its
/// bytes.
const std::vector<std::string> operators{"gemm",      "elementwise", "normalization", "softmax",
                                         "embedding", "loss",        "optimizer"};
const std::vector<std::string> precisions{"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "fp4", "int8"};

/// Parses a positive number.
std::optional<double> amount(std::string_view text) {
    double value = 0.0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size() || !(value > 0.0) || value > 1e300)
        return std::nullopt;
    return value;
}

/// Parses "4096x8192x8192" or "2x4096x8192x8192".
std::optional<std::vector<double>> dimensions(std::string_view text) {
    std::vector<double> sizes;
    while (true) {
        const std::size_t cross = std::min(text.find('x'), text.size());
        const auto size = amount(text.substr(0, cross));
        if (!size) return std::nullopt;
        sizes.push_back(*size);
        if (cross == text.size()) break;
        text.remove_prefix(cross + 1);
    }
    if (sizes.size() == 3) sizes.insert(sizes.begin(), 1.0);
    return sizes.size() == 4 ? std::optional{sizes} : std::nullopt;
}

/// Reads the records below a heading.
class RowReader {
  public:
    RowReader(std::shared_ptr<const std::string> file, Diagnostics& diagnostics)
        : file_{std::move(file)}, diagnostics_{diagnostics} {}

    void heading(const std::vector<std::string>& names) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto found = std::ranges::find(names, columns[i]);
            position_[i] = static_cast<std::size_t>(found - names.begin());
            if (found == names.end())
                error(1, columns[i], fmt::format("no column of this name{}", suggestion(columns[i], names)));
        }
    }

    [[nodiscard]] std::optional<MeasuredRow> row(const config::CsvRecord& record) {
        const int line = record.line;
        const auto field = [&](std::size_t column) {
            const std::size_t position = position_[column];
            return position < record.fields.size() ? record.fields[position] : std::string{};
        };
        MeasuredRow row;
        row.op = field(0);
        row.precision = field(1);
        row.line = line;
        if (!is_one_of(operators, row.op)) return unknown(line, "operator", row.op, operators);
        if (!is_one_of(precisions, row.precision))
            return unknown(line, "precision", row.precision, precisions);
        const auto time = amount(field(4));
        if (!time)
            return error(line, "seconds",
                         fmt::format("'{}' is not a time above 0", config::excerpt(field(4))));
        row.time = Seconds{*time};
        return row.op == "gemm" ? product(row, field(2)) : stream(row, field(3));
    }

  private:
    std::optional<MeasuredRow> product(MeasuredRow row, const std::string& shape) {
        const auto sizes = dimensions(shape);
        if (!sizes)
            return error(
                row.line, "shape",
                fmt::format("'{}' is not a product (write it MxNxK or BxMxNxK)", config::excerpt(shape)));
        row.batch = (*sizes)[0];
        row.m = (*sizes)[1];
        row.n = (*sizes)[2];
        row.k = (*sizes)[3];
        return row;
    }

    std::optional<MeasuredRow> stream(MeasuredRow row, const std::string& bytes) {
        const auto size = amount(bytes);
        if (!size)
            return error(row.line, "bytes",
                         fmt::format("'{}' is not an amount above 0 (an operator other than gemm needs one)",
                                     config::excerpt(bytes)));
        row.bytes = Bytes{*size};
        return row;
    }

    static bool is_one_of(const std::vector<std::string>& known, const std::string& name) {
        return std::ranges::find(known, name) != known.end();
    }

    std::optional<MeasuredRow> unknown(int line, const char* column, const std::string& name,
                                       const std::vector<std::string>& known) {
        return error(
            line, column,
            fmt::format("unknown {} '{}'{}", column, config::excerpt(name), suggestion(name, known)));
    }

    std::optional<MeasuredRow> error(int line, const char* column, std::string message) {
        diagnostics_.error(Location{file_, line, 1}, column, std::move(message));
        return std::nullopt;
    }

    std::shared_ptr<const std::string> file_;
    Diagnostics& diagnostics_;
    std::array<std::size_t, columns.size()> position_{};
};

}  // namespace

std::vector<MeasuredRow> read_measured_rows(const std::string& file, Diagnostics& diagnostics) {
    const auto records = config::read_csv(file);
    std::vector<MeasuredRow> rows;
    RowReader reader{std::make_shared<const std::string>(file), diagnostics};
    if (records.empty()) {
        diagnostics.error(Location{std::make_shared<const std::string>(file), 1, 1}, "", "is empty");
        return rows;
    }
    const std::size_t errors = diagnostics.error_count();
    reader.heading(records.front().fields);
    if (diagnostics.error_count() > errors) return rows;
    for (std::size_t i = 1; i < records.size(); ++i) {
        if (auto row = reader.row(records[i])) rows.push_back(std::move(*row));
    }
    return rows;
}

void load_rows(MeasuredTable& table, const config::Node& map, Diagnostics& diagnostics) {
    const config::Node* name = map.is_map() ? map.find("rows") : nullptr;
    if (name == nullptr || table.rows_file.empty()) return;  // reported already
    namespace fs = std::filesystem;
    const fs::path beside = name->location().file ? fs::path(*name->location().file).parent_path() : "";
    table.rows_path = (beside / table.rows_file).string();
    try {
        table.rows = std::make_shared<const std::vector<MeasuredRow>>(
            read_measured_rows(table.rows_path, diagnostics));
    } catch (const InputError& error) {
        diagnostics.error(name->location(), name->path(), error.what());
    }
}

}  // namespace dse::hardware
