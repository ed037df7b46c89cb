#include "trace_log.hpp"

#include <algorithm>
#include <initializer_list>

#include <nlohmann/json.hpp>

#include "ir/readers/characters.hpp"

namespace dse::ir::fx {
namespace {

/// "V0728 " etc.: one of glog's severity letters, month and day.
bool begins_record(std::string_view line) {
    constexpr std::string_view severities = "VIWECD";
    return line.size() > 6 && severities.find(line[0]) != std::string_view::npos &&
           std::all_of(line.begin() + 1, line.begin() + 5, is_digit) && line[5] == ' ';
}

/// The kind of a record, from the first key of its JSON object; empty if it has no payload.
std::string kind_of(const nlohmann::json& object) {
    if (!object.contains("has_payload")) return "";
    if (object.contains("exported_program")) return "exported_program";
    const auto artifact = object.find("artifact");
    if (artifact != object.end() && artifact->is_object())
        return artifact->value("name", std::string{"artifact"});
    for (const auto& [key, value] : object.items())
        if (key.ends_with("_graph") && value.is_object()) return key;
    return "other";
}

std::vector<TraceRecord> of_kinds(const std::vector<TraceRecord>& records,
                                  std::initializer_list<std::string_view> kinds) {
    std::vector<TraceRecord> result;
    for (const TraceRecord& record : records)
        if (std::find(kinds.begin(), kinds.end(), record.kind) != kinds.end()) result.push_back(record);
    return result;
}

}  // namespace

bool is_trace_log(std::string_view text) {
    return begins_record(text.substr(0, text.find('\n')));
}

std::vector<TraceRecord> read_trace_log(const Source& source) {
    const std::string_view text = source.text();
    std::vector<TraceRecord> records;
    std::size_t position = 0;
    while (position < text.size()) {
        const std::size_t end = std::min(text.find('\n', position), text.size());
        const std::string_view line = text.substr(position, end - position);
        const std::size_t bracket = line.find("] ");
        if (!line.empty() && (!begins_record(line) || bracket == std::string_view::npos))
            source.refuse(position,
                          "expected a record of TORCH_TRACE, as in 'V0728 16:17:28.145 7 torch/x.py:1] {…}'");
        TraceRecord record;
        if (!line.empty()) {
            const auto object = nlohmann::json::parse(line.substr(bracket + 2), nullptr, false);
            if (!object.is_object()) source.refuse(position + bracket + 2, "the record is not a JSON object");
            record.kind = kind_of(object);
        }
        position = record.begin = std::min(end + 1, text.size());
        while (position < text.size() && (text[position] == '\t' || text[position] == '\n'))
            position = std::min(std::min(text.find('\n', position), text.size()) + 1, text.size());
        record.end = position;
        if (!record.kind.empty()) records.push_back(std::move(record));
    }
    return records;
}

std::vector<TraceRecord> graphs_of(const std::vector<TraceRecord>& records) {
    auto graphs = of_kinds(records, {"aot_forward_graph", "aot_backward_graph", "aot_inference_graph"});
    if (graphs.empty()) graphs = of_kinds(records, {"aot_joint_graph"});
    if (graphs.empty()) graphs = of_kinds(records, {"exported_program"});
    if (graphs.empty()) graphs = of_kinds(records, {"dynamo_output_graph"});
    return graphs;
}

}  // namespace dse::ir::fx
