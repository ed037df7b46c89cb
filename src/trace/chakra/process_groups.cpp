#include "trace/chakra/process_groups.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace dse::trace::chakra {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

/// Parses a list of ranks or, in some versions, an object that maps each rank to its position in the group.
std::optional<std::vector<std::int64_t>> ranks_of(const Json& value) {
    std::vector<std::int64_t> ranks;
    if (value.is_array()) {
        for (const Json& rank : value) {
            if (!rank.is_number_integer()) return std::nullopt;
            ranks.push_back(rank.get<std::int64_t>());
        }
        return ranks;
    }
    if (!value.is_object()) return std::nullopt;
    std::vector<std::pair<std::int64_t, std::int64_t>> by_place;
    for (const auto& [key, place] : value.items()) {
        std::int64_t rank = 0;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), rank);
        if (error != std::errc{} || end != key.data() + key.size() || !place.is_number_integer())
            return std::nullopt;
        by_place.emplace_back(place.get<std::int64_t>(), rank);
    }
    std::sort(by_place.begin(), by_place.end());
    for (const auto& [place, rank] : by_place) ranks.push_back(rank);
    return ranks;
}

/// The JSON list inside "['[…]']", or the text itself.
std::string_view list_in(std::string_view values) {
    for (const std::string_view quote : {"['", "[\""}) {
        if (values.starts_with(quote) && values.size() >= 4 && values.ends_with(']'))
            return values.substr(2, values.size() - 4);
    }
    return values;
}

}  // namespace

bool read_process_groups(std::string_view values, std::vector<ProcessGroup>& groups) {
    const Json list = Json::parse(list_in(values), nullptr, false);
    if (!list.is_array()) return false;
    std::vector<ProcessGroup> read;
    for (const Json& entry : list) {
        if (!entry.is_object() || !entry.contains("pg_name") || !entry.contains("ranks")) return false;
        auto ranks = ranks_of(entry["ranks"]);
        if (!ranks) return false;
        read.push_back({text_of(entry, "pg_name"), text_of(entry, "pg_desc"), std::move(*ranks)});
    }
    groups.insert(groups.end(), std::make_move_iterator(read.begin()), std::make_move_iterator(read.end()));
    return true;
}

}  // namespace dse::trace::chakra
