#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dse/base/seed.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/results/shard_sink.hpp"
#include "support/temporary_folder.hpp"

/// A small sweep with every kind of column, for the tests of results files.
namespace dse::results::test {

using dse::test::TemporaryFolder;

inline ResultSchema sample_schema(std::uint64_t points = 1000) {
    ResultSchema schema;
    schema.sweep.name = "sample";
    schema.sweep.yaml = "name: sample\naxes: {tp: [1, 2, 4]}\n";
    schema.sweep.facts = {{"axes.tp", "1 2 4"}, {"workload.model", "llama"}};
    schema.sweep.digest = digest(schema.sweep.yaml);
    schema.sweep.seed = 42;
    schema.sweep.points = points;
    schema.sweep.objectives = metrics::parse_objectives("iteration_time, mfu: maximize");
    schema.points = {
        {"tp", ColumnKind::integer, ColumnRole::axis, "", {}},
        {"cluster.network.bandwidth", ColumnKind::real, ColumnRole::axis, "B/s", {}},
        {"flash", ColumnKind::flag, ColumnRole::axis, "", {}},
        {"schedule", ColumnKind::label, ColumnRole::axis, "", {"gpipe", "1f1b", "interleaved"}},
        {"dp", ColumnKind::integer, ColumnRole::derived, "", {}},
    };
    return schema;
}

/// The record of a point: a function of its id alone, with awkward numbers and, here and there, no answer.
inline space::Record sample_record(std::uint64_t id) {
    space::Record record;
    const auto draw = [&](std::uint64_t k) { return static_cast<double>(seed_of(k, id) >> 11U) * 0x1p-53; };
    record.point.id = id;
    record.point.values = {static_cast<double>(1U << (id % 4U)), 25e9 * (1.0 + draw(1)),
                           static_cast<double>(id % 2), static_cast<double>(id % 3),
                           static_cast<double>(id * 7)};
    record.wall_seconds = draw(2);
    if (id % 5 == 4) {
        record.status = space::Status::out_of_memory;
        record.reason = fmt::format("activations: {:.1f} GiB of 80 GiB", 80.0 + draw(3));
    } else {
        record.status = space::Status::ok;
        record.metrics.iteration_time = 1.0 / 3.0 + draw(4);
        record.metrics.mfu = draw(5);
    }
    return record;
}

inline Provenance sample_provenance() {
    return {
        .dse_version = "0.0.0", .git_hash = "0123456789ab", .host = "node7", .start = "2026-01-01T00:00:00Z"};
}

/// Writes the records of [first, last) as one flushed batch.
inline void write_range(ResultSink& sink, std::uint64_t first, std::uint64_t last) {
    std::vector<space::Record> records;
    for (std::uint64_t id = first; id < last; ++id) records.push_back(sample_record(id));
    sink.write(records);
    sink.cover({first, last - first, last - first});
    sink.flush();
}

}  // namespace dse::results::test
