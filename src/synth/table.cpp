#include "table.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"

namespace dse::synth {

void Histogram::add(std::int32_t value, std::uint32_t times) {
    const auto place = std::lower_bound(rows_.begin(), rows_.end(), value,
                                        [](const auto& row, std::int32_t v) { return row.first < v; });
    if (place != rows_.end() && place->first == value)
        place->second += times;
    else
        rows_.insert(place, {value, times});
    total_ += times;
}

std::int32_t Histogram::draw(Random& random) const {
    return draw_if(
        random, [](std::int32_t) { return true; }, 0);
}

Context context(std::initializer_list<std::int64_t> numbers) {
    Context packed = 1;
    for (const std::int64_t number : numbers)
        packed = (packed << 16U) | (static_cast<std::uint64_t>(number) & 0xffffU);
    return packed;
}

const Histogram* Table::find(Context at) const {
    const auto found = rows_.find(at);
    return found == rows_.end() ? nullptr : &found->second;
}

const Histogram* Table::find(std::span<const Context> contexts) const {
    const Histogram* widest = nullptr;
    for (const Context at : contexts) {
        const Histogram* found = find(at);
        if (found == nullptr) continue;
        if (found->total() >= enough) return found;
        widest = found;
    }
    return widest;
}

std::int32_t Table::draw(Random& random, std::span<const Context> contexts, std::int32_t otherwise) const {
    const Histogram* found = find(contexts);
    return found == nullptr ? otherwise : found->draw(random);
}

nlohmann::json Table::to_json() const {
    nlohmann::json rows = nlohmann::json::array();
    for (const auto& [at, histogram] : rows_) {
        nlohmann::json row = nlohmann::json::array({at});
        for (const auto& [value, times] : histogram.rows()) {
            row.push_back(value);
            row.push_back(times);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Table Table::from_json(const nlohmann::json& json, std::int64_t least, std::int64_t most) {
    Table table;
    for (const nlohmann::json& row : json) {
        if (!row.is_array() || row.size() % 2 == 0) throw InputError("a table's row is cut short");
        Histogram& histogram = table.rows_[row[0].get<Context>()];
        for (std::size_t i = 1; i < row.size(); i += 2) {
            const auto times = row[i + 1].get<std::uint32_t>();
            if (times == 0) throw InputError("a table counts a value that was never seen");
            const auto value = row[i].get<std::int64_t>();
            if (value < least || value > most) throw InputError("a table holds a value that cannot be");
            histogram.add(static_cast<std::int32_t>(value), times);
        }
    }
    return table;
}

}  // namespace dse::synth
