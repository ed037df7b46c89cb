#include "serving/trace_line.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"

namespace dse::serving {
namespace {

using Names = std::vector<std::string_view>;

/// By TraceColumns::Field: names in our own tables, Azure's, BurstGPT's, Vidur's, and of OpenAI's `usage`,
/// with which servers' own logs mostly name them.
const std::array<Names, 4>& column_names() {
    static const std::array<Names, 4> names{
        Names{"arrival_s", "TIMESTAMP", "Timestamp", "arrived_at", "timestamp"},
        Names{"input_tokens", "ContextTokens", "Request tokens", "num_prefill_tokens", "prompt_tokens"},
        Names{"output_tokens", "GeneratedTokens", "Response tokens", "num_decode_tokens",
              "completion_tokens"},
        Names{"prefix_block_ids"}};
    return names;
}

/// Calls `visit` with the cells of a line. Quotes are not handled: none of these traces has any.
template <class Visit>
void for_each_cell(std::string_view line, Visit&& visit) {
    for (std::size_t column = 0;; ++column) {
        const std::size_t comma = line.find(',');
        visit(column, line.substr(0, comma));
        if (comma == std::string_view::npos) return;
        line.remove_prefix(comma + 1);
    }
}

std::optional<double> number_of(std::string_view text) {
    double value = 0.0;
    const char* last = text.data() + text.size();
    const auto [end, status] = std::from_chars(text.data(), last, value);
    if (status != std::errc{} || end != last || !std::isfinite(value)) return std::nullopt;
    return value;
}

double count_of(std::string_view text, std::string_view what) {
    const auto value = number_of(text);
    if (!value) throw InputError(fmt::format("'{}' is not a number of {}", text.substr(0, 60), what));
    return *value;
}

void read_pieces(std::string_view text, std::vector<std::uint32_t>& pieces) {
    const char* at = text.data();
    const char* last = text.data() + text.size();
    while (at != last) {
        if (*at == ' ') {
            ++at;
            continue;
        }
        std::uint32_t piece = 0;
        const auto [end, status] = std::from_chars(at, last, piece);
        if (status != std::errc{})
            throw InputError(
                fmt::format("'{}' is not a list of blocks of a prefix (numbers separated by spaces)",
                            text.substr(0, 60)));
        pieces.push_back(piece);
        at = end;
    }
}

/// The number in a range of digits; -1 if it contains anything else.
int digits(std::string_view text, std::size_t first, std::size_t length) {
    int value = -1;
    if (first + length > text.size()) return -1;
    const char* end = text.data() + first + length;
    const auto parsed = std::from_chars(text.data() + first, end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end ? value : -1;
}

/// Seconds by which a time zone (ISO 8601: Z, +01:00, +0100, +01) is ahead; nothing if it is none. Without a
/// zone, times count as universal.
std::optional<double> offset_of(std::string_view zone) {
    while (zone.starts_with(' ')) zone.remove_prefix(1);
    while (zone.ends_with(' ')) zone.remove_suffix(1);
    if (zone.empty() || zone == "Z" || zone == "z" || zone == "UTC") return 0.0;
    if (zone.front() != '+' && zone.front() != '-') return std::nullopt;
    std::string number{zone.substr(1)};
    if (number.size() == 5 && number[2] == ':') number.erase(2, 1);
    if (number.size() == 2) number += "00";
    if (number.size() != 4) return std::nullopt;
    const int hours = digits(number, 0, 2);
    const int minutes = digits(number, 2, 2);
    if (std::min(hours, minutes) < 0 || hours > 23 || minutes > 59) return std::nullopt;
    return (zone.front() == '-' ? -60.0 : 60.0) * (60.0 * hours + minutes);
}

}  // namespace

double parse_time(std::string_view text) {
    if (const auto seconds = number_of(text)) {
        // As seconds since 1970 it would be after the year 5138.
        constexpr double latest = 1e11;
        if (*seconds >= latest)
            throw InputError(fmt::format("'{}' is a time in milliseconds or less, and seconds are needed",
                                         text.substr(0, 60)));
        return *seconds;
    }
    const auto refuse = [&] { return InputError(fmt::format("'{}' is not a time", text.substr(0, 60))); };
    constexpr std::size_t date_and_time = 19;
    if (text.size() < date_and_time || text[4] != '-' || text[7] != '-' || text[13] != ':') throw refuse();
    const int year = digits(text, 0, 4);
    const int month = digits(text, 5, 2);
    const int day = digits(text, 8, 2);
    const int hour = digits(text, 11, 2);
    const int minute = digits(text, 14, 2);
    const int second = digits(text, 17, 2);
    const std::chrono::year_month_day date{std::chrono::year{year},
                                           std::chrono::month{static_cast<unsigned>(std::max(month, 0))},
                                           std::chrono::day{static_cast<unsigned>(std::max(day, 0))}};
    constexpr int leap_second = 60;
    if (!date.ok() || std::min({year, hour, minute, second}) < 0 || hour > 23 || minute > 59 ||
        second > leap_second)
        throw refuse();
    const auto days = std::chrono::sys_days{date}.time_since_epoch().count();
    double fraction = 0.0;
    std::string_view rest = text.substr(date_and_time);
    if (rest.starts_with('.')) {
        const std::size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
        fraction = number_of(rest.substr(0, end)).value_or(0.0);
        rest.remove_prefix(end);
    }
    const std::optional<double> offset = offset_of(rest);
    if (!offset) throw refuse();
    return 86400.0 * static_cast<double>(days) + 3600.0 * hour + 60.0 * minute + second + fraction - *offset;
}

TraceColumns::TraceColumns(std::string_view head) {
    for_each_cell(head, [&](std::size_t column, std::string_view name) {
        count_ = column + 1;
        for (std::size_t field = 0; field < field_count; ++field) {
            const Names& names = column_names()[field];
            if (std::find(names.begin(), names.end(), name) == names.end()) continue;
            if (column_[field] != none)
                throw InputError(fmt::format("columns {} and {} state the same ({})", column_[field] + 1,
                                             column + 1, fmt::join(names, " or ")));
            column_[field] = column;
            if (name == "Response tokens") has_failures_ = true;
        }
    });
    std::vector<std::string> missing;
    for (const Field field : {time, prompt, output}) {
        if (column_[field] == none)
            missing.push_back(fmt::format("{}", fmt::join(column_names()[field], " or ")));
    }
    if (!missing.empty())
        throw InputError(
            fmt::format("no column {} in '{}'", fmt::join(missing, ", no column "), head.substr(0, 200)));
}

bool TraceColumns::is_arrival(std::string_view column) {
    const Names& names = column_names()[time];
    return std::find(names.begin(), names.end(), column) != names.end();
}

void TraceColumns::read(std::string_view text, TraceLine& line) const {
    std::size_t seen = 0;
    line.pieces.clear();
    for_each_cell(text, [&](std::size_t column, std::string_view cell) {
        if (column == column_[time]) line.time = parse_time(cell);
        if (column == column_[prompt]) line.prompt = count_of(cell, "tokens");
        if (column == column_[output]) line.output = count_of(cell, "tokens");
        if (column == column_[pieces]) read_pieces(cell, line.pieces);
        seen = column + 1;
    });
    const std::size_t needed = std::max({column_[time], column_[prompt], column_[output]}) + 1;
    if (seen < needed || seen > count_)
        throw InputError(fmt::format("has {} columns, not {}", seen, seen < needed ? needed : count_));
}

void read_json_line(std::string_view text, TraceLine& line) {
    const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
    if (!object.is_object()) throw InputError("is not a JSON object");
    const auto number = [&](const char* key) {
        const auto found = object.find(key);
        if (found == object.end() || !found->is_number())
            throw InputError(fmt::format("has no number \"{}\"", key));
        return found->get<double>();
    };
    // The traces of Qwen-Bailian (Wang et al., ATC 2025) have Mooncake's names and other units.
    const bool is_bailian = object.contains("chat_id");
    line.piece_tokens = is_bailian ? 16 : 512;
    line.time = number("timestamp") / (is_bailian ? 1.0 : 1000.0);
    line.prompt = number("input_length");
    line.output = number("output_length");
    line.pieces.clear();
    const auto ids = object.find("hash_ids");
    if (ids == object.end()) return;
    if (!ids->is_array()) throw InputError("has \"hash_ids\" that are not a list");
    for (const nlohmann::json& id : *ids) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
            throw InputError("has a block in \"hash_ids\" that is not a number below 2^32");
        line.pieces.push_back(id.get<std::uint32_t>());
    }
}

}  // namespace dse::serving
