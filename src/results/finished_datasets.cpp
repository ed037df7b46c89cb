#include "results/finished_datasets.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "results/finished_columns.hpp"

namespace dse::results {
namespace {

[[noreturn]] void refuse_length(const h5::File& file, const std::string& name) {
    throw InputError(
        fmt::format("'{}' is not a complete results file of dse: '{}' has another length than the rest",
                    file.path(), name));
}

void check_lengths(const FinishedDatasets& data, const h5::File& file) {
    std::vector<const h5::Dataset*> all{&data.status, &data.reason, &data.wall_seconds, &data.rank,
                                        &data.host};
    for (const h5::Dataset& values : data.values) all.push_back(&values);
    for (const h5::Dataset* one : all) {
        if (one->size() != data.rows()) refuse_length(file, one->name());
    }
    if (data.long_reason_ids.size() != data.long_reason_texts.size()) {
        refuse_length(file, data.long_reason_texts.name());
    }
}

}  // namespace

FinishedDatasets::FinishedDatasets(const h5::File& file, const ResultSchema& schema)
    : point_id{h5::Dataset::open(file, point_id_dataset)},
      status{h5::Dataset::open(file, status_dataset)},
      reason{h5::Dataset::open(file, reason_dataset)},
      wall_seconds{h5::Dataset::open(file, wall_seconds_dataset)},
      rank{h5::Dataset::open(file, rank_dataset)},
      host{h5::Dataset::open(file, host_dataset)},
      long_reason_ids{h5::Dataset::open(file, long_reason_ids_dataset)},
      long_reason_texts{h5::Dataset::open(file, long_reason_texts_dataset)} {
    for (const Column& column : schema.points) {
        values.push_back(h5::Dataset::open(file, dataset_name(column)));
        columns.push_back(column);
    }
    for (const MetricColumn& metric : schema.metrics) {
        values.push_back(h5::Dataset::open(file, dataset_name(metric)));
        columns.push_back({.name = metric.name, .kind = ColumnKind::real, .unit = metric.unit, .labels = {}});
    }
    check_lengths(*this, file);
}

}  // namespace dse::results
