#include "app/csv.hpp"

#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "app/result_columns.hpp"

namespace dse::app {

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

void write_csv_heading(std::ostream& stream, const results::Table& table) {
    std::string line = "point_id,status,reason";
    for (const results::Column& column : table.schema.points) line += "," + csv_cell(column.name);
    for (const results::MetricColumn& column : table.schema.metrics) line += "," + csv_cell(column.name);
    stream << line << ",rank,host,wall_seconds" << (table.unsealed ? ",unsealed\n" : "\n");
}

void write_csv_rows(std::ostream& stream, const results::Table& table, std::span<const std::size_t> rows) {
    std::string line;
    for (const std::size_t row : rows) {
        line = fmt::format("{},{},{}", table.point_id[row], space::name(table.status[row]),
                           csv_cell(table.reason[row]));
        for (std::size_t c = 0; c < table.points.size(); ++c) {
            line += "," + csv_cell(results::to_text(table.schema.points[c], table.points[c][row]));
        }
        for (const std::vector<double>& column : table.metrics) {
            line += std::isnan(column[row]) ? "," : fmt::format(",{}", column[row]);
        }
        stream << fmt::format("{},{},{},{}{}\n", line, table.rank[row], csv_cell(table.host[row]),
                              table.wall_seconds[row], table.unsealed ? ",yes" : "");
    }
}

Json row_json(const results::Table& table, std::size_t row) {
    Json json{{"point_id", table.point_id[row]},
              {"status", space::name(table.status[row])},
              {"reason", table.reason[row]}};
    Json& point = json["point"] = Json::object();
    for (std::size_t c = 0; c < table.points.size(); ++c) {
        point[table.schema.points[c].name] = column_json(table.schema.points[c], table.points[c][row]);
    }
    Json& metrics = json["metrics"] = Json::object();
    for (std::size_t c = 0; c < table.metrics.size(); ++c) {
        metrics[table.schema.metrics[c].name] = table.metrics[c][row];
    }
    return json;
}

}  // namespace dse::app
