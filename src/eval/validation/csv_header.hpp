#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dse::eval {

/// Finds the columns of a table by name.
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
    /// Nothing if the field is empty or not a finite number.
    [[nodiscard]] std::optional<double> number(const std::vector<std::string>& record,
                                               std::string_view name) const {
        const std::string value = text(record, name);
        double result = 0.0;
        const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), result);
        if (status != std::errc{} || end != value.data() + value.size() || !std::isfinite(result))
            return std::nullopt;
        return result;
    }
    /// A number of devices, tokens or requests, with fractions truncated; nothing if it is implausibly large.
    [[nodiscard]] std::optional<std::int64_t> whole(const std::vector<std::string>& record,
                                                    std::string_view name) const {
        const std::optional<double> value = number(record, name);
        if (!value || std::abs(*value) > largest_whole) return std::nullopt;
        return static_cast<std::int64_t>(*value);
    }

  private:
    static constexpr double largest_whole = 1LL << 31;

    std::vector<std::string> names_;
};

}  // namespace dse::eval
