#include "explore/exec/program_answer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/nearest.hpp"
#include "dse/config/source_text.hpp"

namespace dse::explore {
namespace {

using Json = nlohmann::ordered_json;
using config::FieldType;
using space::Record;
using space::Status;

bool is_label(const space::Space& space, std::size_t slot) {
    const FieldType type = space.slot_info(slot).type;
    return type == FieldType::choice || type == FieldType::text;
}

Json value_of(const space::Space& space, std::size_t slot, double value) {
    if (std::isnan(value)) return nullptr;
    if (is_label(space, slot)) return space.format(slot, value);
    const FieldType type = space.slot_info(slot).type;
    if (type == FieldType::integer) return static_cast<std::int64_t>(value);
    if (type == FieldType::flag) return value != 0.0;
    return value;
}

std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// \return whether there was anything to replace
bool fill_in(std::string& text, const std::string& name, const std::string& value) {
    const std::string place = "{" + name + "}";
    bool found = false;
    for (std::size_t at = text.find(place); at != std::string::npos;
         at = text.find(place, at + value.size())) {
        text.replace(at, place.size(), value);
        found = true;
    }
    return found;
}

void fail(Record& record, std::string reason) {
    record.status = Status::failed;
    record.reason = std::move(reason);
    record.metrics = {};
    record.more.clear();
}

/// The record's field for a metric of the answer.
double* place_of(const space::Space& space, std::string_view name, Record& record) {
    const auto& added = space.added();
    for (std::size_t i = 0; i < added.size(); ++i) {
        if (added[i].name == name) return &record.more[i];
    }
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        if (field.name == name) return &(record.metrics.*field.member);
    }
    return nullptr;
}

/// Handles an answer that states that there are no metrics.
void take_refusal(const Json& answer, Record& record) {
    const std::string status = text_of(answer["status"]);
    const std::string reason = answer.contains("reason") ? text_of(answer["reason"]) : "the program says so";
    for (const Status known : {Status::out_of_memory, Status::outside_validity, Status::failed}) {
        if (name(known) != status) continue;
        fail(record, config::printable(reason));
        record.status = known;
        return;
    }
    fail(record, fmt::format("the program's answer has the status '{}', which is none of ok, out_of_memory, "
                             "outside_validity and failed",
                             config::excerpt(status)));
}

std::vector<std::string> metric_names(const space::Space& space) {
    std::vector<std::string> names;
    for (const space::AddedMetric& metric : space.exec()->metrics) names.push_back(metric.name);
    return names;
}

void take_metrics(const space::Space& space, const Json& answer, Record& record) {
    const std::vector<std::string> names = metric_names(space);
    record.more.assign(space.added().size(), metrics::not_a_number);
    for (const auto& [key, value] : answer.items()) {
        if (key == "status") continue;
        if (std::find(names.begin(), names.end(), key) == names.end())
            return fail(record,
                        fmt::format("the program answers with '{}', which 'exec.metrics' does not name{}",
                                    config::excerpt(key), suggestion(key, names)));
        if (!value.is_number() && !value.is_null())
            return fail(record, fmt::format("the program's '{}' is not a number: {}", key,
                                            config::excerpt(value.dump())));
        if (value.is_number()) *place_of(space, key, record) = value.get<double>();
    }
    for (const std::string& name : names) {
        if (!answer.contains(name))
            return fail(record,
                        fmt::format("the program's answer lacks '{}' (null where it has no value)", name));
    }
}

}  // namespace

std::string point_line(const space::Space& space, const space::Point& point) {
    Json values = Json::object();
    for (std::size_t slot = 0; slot < space.width(); ++slot)
        values[space.slot_name(slot)] = value_of(space, slot, point.values[slot]);
    return Json{{"id", point.id}, {"values", std::move(values)}}.dump() + "\n";
}

std::vector<std::string> point_command(const space::Space& space, const space::Point& point) {
    std::vector<std::string> command = space.exec()->command;
    std::vector<std::string> behind;
    bool found = false;
    for (std::string& part : command) found = fill_in(part, "id", std::to_string(point.id)) || found;
    for (std::size_t slot = 0; slot < space.width(); ++slot) {
        const std::string& name = space.slot_name(slot);
        const std::string value = text_of(value_of(space, slot, point.values[slot]));
        for (std::string& part : command) found = fill_in(part, name, value) || found;
        behind.push_back(fmt::format("--{}={}", name, value));
    }
    if (!found) command.insert(command.end(), behind.begin(), behind.end());
    return command;
}

void take_answer(const space::Space& space, std::string_view text, Record& record) {
    const Json answer = Json::parse(text, nullptr, false);
    if (answer.is_discarded() || !answer.is_object())
        return fail(record,
                    fmt::format("the program's answer is not a JSON object: '{}'", config::excerpt(text)));
    if (answer.contains("status") && answer["status"] != "ok") return take_refusal(answer, record);
    take_metrics(space, answer, record);
}

}  // namespace dse::explore
