#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dse::eval {

/// The columns of a table by name.
class Header {
  public:
    explicit Header(std::vector<std::string> names) : names_{std::move(names)} {}

    [[nodiscard]] bool has(std::string_view name) const {
        return std::find(names_.begin(), names_.end(), name) != names_.end();
    }
    [[nodiscard]] std::string text(const std::vector<std::string>& record, std::string_view name) const {
        const auto found = std::find(names_.begin(), names_.end(), name);
        const auto column = static_cast<std::size_t>(found - names_.begin());
        return column < record.size() ? record[column] : "";
    }
    [[nodiscard]] std::optional<double> number(const std::vector<std::string>& record,
                                               std::string_view name) const {
        const std::string value = text(record, name);
        double result = 0.0;
        const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), result);
        if (status != std::errc{} || end != value.data() + value.size()) return std::nullopt;
        return result;
    }

  private:
    std::vector<std::string> names_;
};

}  // namespace dse::eval
