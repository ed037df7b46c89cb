#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/source_text.hpp"
#include "eval/validation/csv_header.hpp"

namespace dse::eval {

/// What is wrong with a table as a whole. Only the first errors are listed, since the same one is often in
/// every row.
class TableErrors {
  public:
    void add(std::string line) {
        if (++count_ <= listed) lines_.push_back(std::move(line));
    }
    /// \throws InputError with all of them, if there are any
    void throw_if_any() const {
        if (count_ == 0) return;
        std::string text = fmt::format("{}", fmt::join(lines_, "\n"));
        if (count_ > listed) text += fmt::format("\nand {} more errors of such rows", count_ - listed);
        throw InputError(text);
    }

  private:
    static constexpr std::size_t listed = 20;
    std::size_t count_{0};
    std::vector<std::string> lines_;
};

/// Checks the rows of a table of measurements, one after the other: that each has an id of its own, no more
/// fields than the header, and finite numbers.
class RowChecks {
  public:
    RowChecks(const std::string& file, const Header& header, std::size_t columns, TableErrors& errors)
        : file_{file}, header_{header}, columns_{columns}, errors_{errors} {}

    /// "rows.csv: row 3 (GT7)", for messages.
    [[nodiscard]] std::string place(std::size_t row, const std::string& id) const {
        if (id.empty()) return fmt::format("{}: row {}", file_, row);
        return fmt::format("{}: row {} ({})", file_, row, config::excerpt(id));
    }

    /// \return whether the row's fields stand under their columns
    bool check_length(const std::vector<std::string>& record, const std::string& place) const {
        if (record.size() <= columns_) return true;
        errors_.add(fmt::format("{}: has {} fields under {} columns (text with a comma needs quotes)", place,
                                record.size(), columns_));
        return false;
    }

    void check_id(const std::string& id, std::size_t row, const std::string& place) {
        const auto [first, is_new] = row_of_id_.emplace(id, row);
        if (id.empty()) {
            errors_.add(fmt::format("{}: has no id", place));
        } else if (!is_new) {
            errors_.add(fmt::format("{}: its id is also that of row {} (each row needs one of its own)",
                                    place, first->second));
        }
    }

    /// Numbers that are not finite are results of a failed calculation, never of a measurement.
    void check_finite(const std::vector<std::string>& record, std::span<const char* const> names,
                      const std::string& place) const {
        for (const char* name : names) {
            const std::string text = header_.text(record, name);
            double number = 0.0;
            const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool is_number = status != std::errc::invalid_argument && end == text.data() + text.size();
            if (!is_number || (status == std::errc{} && std::isfinite(number))) continue;
            errors_.add(
                fmt::format("{}: {} is '{}', which is not a finite number (leave the field empty if it is "
                            "not stated)",
                            place, name, config::excerpt(text)));
        }
    }

  private:
    const std::string& file_;
    const Header& header_;
    std::size_t columns_;
    TableErrors& errors_;
    std::map<std::string, std::size_t> row_of_id_;
};

/// Whether each row of a table has an id of its own.
enum class RowIds : std::uint8_t { none, own };

/// Checks the rows of a table, and calls read(record, place, number) for each whose fields stand under their
/// columns.
/// \param records  of the table, with its header first
/// \param numbers  columns of finite numbers, or of none
/// \throws InputError if any row has an error
template <class Read>
void for_each_row(const std::string& file, const Header& header,
                  const std::vector<config::CsvRecord>& records, RowIds ids,
                  std::span<const char* const> numbers, Read read) {
    TableErrors errors;
    RowChecks checks(file, header, records.front().fields.size(), errors);
    for (std::size_t i = 1; i < records.size(); ++i) {
        const std::vector<std::string>& record = records[i].fields;
        const std::string id = ids == RowIds::own ? header.text(record, "id") : "";
        const std::string place = checks.place(i, id);
        if (!checks.check_length(record, place)) continue;
        if (ids == RowIds::own) checks.check_id(id, i, place);
        checks.check_finite(record, numbers, place);
        read(record, place, i);
    }
    errors.throw_if_any();
}

}  // namespace dse::eval
