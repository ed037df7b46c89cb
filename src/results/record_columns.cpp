#include "dse/results/record_columns.hpp"

#include <algorithm>

namespace dse::results {

RecordColumns::RecordColumns(const std::vector<MetricColumn>& columns) {
    const auto fields = metrics::metric_fields();
    for (const MetricColumn& column : columns) {
        const auto field = std::find_if(fields.begin(), fields.end(),
                                        [&](const auto& known) { return known.name == column.name; });
        members_.push_back(field != fields.end() ? field->member : nullptr);
        if (field == fields.end()) more_.push_back(column.name);
    }
}

void RecordColumns::append(const space::Record& record, std::vector<double>& values) const {
    std::size_t more = 0;
    for (double metrics::Metrics::*member : members_) {
        if (member != nullptr) {
            values.push_back(record.metrics.*member);
        } else {
            values.push_back(more < record.more.size() ? record.more[more] : metrics::not_a_number);
            ++more;
        }
    }
}

void RecordColumns::assign(const std::vector<std::vector<double>>& columns, std::size_t row,
                           space::Record& record) const {
    record.more.clear();
    for (std::size_t c = 0; c < members_.size(); ++c) {
        const double value = columns[c][row];
        if (members_[c] != nullptr) {
            record.metrics.*members_[c] = value;
        } else {
            record.more.push_back(value);
        }
    }
}

}  // namespace dse::results
