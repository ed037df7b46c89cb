#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dse::eval {

/// Finds the columns of a table by name.
class Header {
  public:
    /// Of several columns of one name the first counts.
    explicit Header(std::vector<std::string> names) {
        for (std::size_t i = 0; i < names.size(); ++i) columns_.emplace(std::move(names[i]), i);
    }

    [[nodiscard]] bool has(std::string_view name) const { return columns_.find(name) != columns_.end(); }
    [[nodiscard]] std::string text(const std::vector<std::string>& record, std::string_view name) const {
        const auto column = columns_.find(name);
        return column != columns_.end() && column->second < record.size() ? record[column->second] : "";
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

    std::map<std::string, std::size_t, std::less<>> columns_;
};

}  // namespace dse::eval
