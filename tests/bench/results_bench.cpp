// What rows cost on their way to disk and back, on one core: into a shard, merged into a finished file, read,
// and summed up; and that memory does not grow with the rows. DSE_BENCH_ROWS sets their number; 3,000,000
// take a minute.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/peak_memory.hpp"
#include "dse/base/seed.hpp"
#include "dse/results/front_rows.hpp"
#include "dse/results/idle_axes.hpp"
#include "dse/results/results_reader.hpp"
#include "dse/results/shard_sink.hpp"
#include "dse/results/sweep_output.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results {
namespace {

constexpr std::uint64_t batch = 1024;

std::uint64_t rows_asked_for() {
    const char* const text = std::getenv("DSE_BENCH_ROWS");
    return text == nullptr ? 100'000 : std::strtoull(text, nullptr, 10);
}

/// Fourteen columns, as a sweep of training layouts has.
ResultSchema schema_of(std::uint64_t rows) {
    ResultSchema schema;
    schema.sweep.name = "bench";
    schema.sweep.digest = digest("bench");
    schema.sweep.points = rows;
    schema.sweep.objectives = metrics::parse_objectives("iteration_time, memory_peak, energy, cost");
    for (int c = 0; c < 11; ++c) {
        schema.points.push_back({fmt::format("axis{}", c), ColumnKind::integer, ColumnRole::axis, "", {}});
    }
    schema.points.push_back(
        {"schedule", ColumnKind::label, ColumnRole::axis, "", {"gpipe", "1f1b", "zb_h1"}});
    schema.points.push_back({"bandwidth", ColumnKind::real, ColumnRole::axis, "B/s", {}});
    schema.points.push_back({"dp", ColumnKind::integer, ColumnRole::derived, "", {}});
    return schema;
}

/// Of three points, one has an answer; the others say what does not fit, as in llm_70b. Metrics repeat in
/// part.
void fill(space::Record& record, std::uint64_t id) {
    const auto draw = [&](std::uint64_t k) { return static_cast<double>(seed_of(k, id) >> 11U) * 0x1p-53; };
    record.point.id = id;
    record.point.values.resize(14);
    std::uint64_t rest = id;
    for (double& value : record.point.values) {
        value = static_cast<double>(rest % 3);
        rest /= 3;
    }
    record.metrics = {};
    record.wall_seconds = 1e-4 * (1.0 + draw(1));
    if (id % 3 != 0) {
        record.status = space::Status::out_of_memory;
        record.reason =
            fmt::format("activations: {:.1f} GiB of 80 GiB, parameters 12.3 GiB", 80.0 + 50 * draw(3));
        return;
    }
    record.status = space::Status::ok;
    record.reason.clear();
    std::uint64_t metric = 0;
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        const std::uint64_t of =
            metric % 3 == 0 ? id : id / 50;  // two of three metrics do not depend on all axes
        record.metrics.*field.member = 1.0 + static_cast<double>(seed_of(metric++, of) >> 11U) * 0x1p-53;
    }
}

void write_shard(const std::filesystem::path& folder, std::uint64_t rows, std::uint64_t first,
                 std::uint64_t step) {
    ShardSink sink{folder, schema_of(rows), this_run(), static_cast<std::int32_t>(first)};
    std::vector<space::Record> records;
    for (std::uint64_t begin = first * batch; begin < rows; begin += step * batch) {
        const std::uint64_t count = std::min(batch, rows - begin);
        records.resize(count);
        for (std::uint64_t i = 0; i < count; ++i) fill(records[i], begin + i);
        sink.write(records);
        sink.cover({begin, count, count});
        sink.flush();
    }
}

void count(benchmark::State& state, std::uint64_t rows) {
    const auto all = rows * static_cast<std::uint64_t>(state.iterations());
    state.counters["rows/s"] = benchmark::Counter(static_cast<double>(all), benchmark::Counter::kIsRate);
    state.counters["peak_MB"] = test::peak_megabytes();
}

/// What the records themselves cost, to be taken off the next one.
void make_records(benchmark::State& state) {
    const std::uint64_t rows = rows_asked_for();
    space::Record record;
    for (auto _ : state) {
        for (std::uint64_t id = 0; id < rows; ++id) {
            fill(record, id);
            benchmark::DoNotOptimize(record);
        }
    }
    count(state, rows);
}
BENCHMARK(make_records)->Iterations(1)->Unit(benchmark::kMillisecond);

void write_rows(benchmark::State& state) {
    const std::uint64_t rows = rows_asked_for();
    const test::TemporaryFolder folder;
    test::reset_peak_memory();
    for (auto _ : state) write_shard(folder.path("out.h5.shards"), rows, 0, 1);
    count(state, rows);
}
BENCHMARK(write_rows)->Iterations(1)->Unit(benchmark::kMillisecond);

/// A finished file of four shards.
class Finished {
  public:
    explicit Finished(std::uint64_t rows) : rows_{rows} {
        for (std::uint64_t rank = 0; rank < 4; ++rank) write_shard(shard_folder(path()), rows, rank, 4);
    }

    MergeSummary merge(const BlockVisitor& watch = {}) {
        return SweepOutput{path(), schema_of(rows_), this_run(), Start::resume, Logger{}}.finish(watch);
    }

    [[nodiscard]] std::string path() const { return folder_.path("out.h5"); }

  private:
    test::TemporaryFolder folder_;
    std::uint64_t rows_;
};

void merge_shards(benchmark::State& state) {
    const std::uint64_t rows = rows_asked_for();
    Finished file{rows};
    test::reset_peak_memory();
    for (auto _ : state) file.merge();
    count(state, rows);
    state.counters["bytes/row"] =
        static_cast<double>(std::filesystem::file_size(file.path())) / static_cast<double>(rows);
}
BENCHMARK(merge_shards)->Iterations(1)->Unit(benchmark::kMillisecond);

void merge_files_of_job_arrays(benchmark::State& state) {
    const std::uint64_t rows = rows_asked_for();
    Finished file{rows};
    file.merge();
    const std::vector<std::filesystem::path> inputs{file.path(), file.path()};
    test::reset_peak_memory();
    for (auto _ : state) merge_files(inputs, file.path() + ".merged");
    count(state, rows);
}
BENCHMARK(merge_files_of_job_arrays)->Iterations(1)->Unit(benchmark::kMillisecond);

/// Checking the seal, and reading every column of every row.
void read_rows(benchmark::State& state) {
    const std::uint64_t rows = rows_asked_for();
    Finished file{rows};
    file.merge();
    test::reset_peak_memory();
    for (auto _ : state) {
        ResultsReader{file.path(), ResultsReader::Extent::finished}.each(
            [](const Table& block) { benchmark::DoNotOptimize(block.point_id.data()); });
    }
    count(state, rows);
}
BENCHMARK(read_rows)->Iterations(1)->Unit(benchmark::kMillisecond);

/// What a finished sweep tells of itself, on top of reading.
void sum_up_rows(benchmark::State& state) {
    const std::uint64_t rows = rows_asked_for();
    Finished file{rows};
    file.merge();
    test::reset_peak_memory();
    for (auto _ : state) {
        ResultsReader reader{file.path(), ResultsReader::Extent::finished};
        FrontRows front{reader.columns(), reader.columns().schema.sweep.objectives};
        IdleAxes idle{reader.columns()};
        reader.each([&](const Table& block) {
            front.add(block);
            idle.add(block);
        });
        state.counters["front"] = static_cast<double>(front.rows().rows());
    }
    count(state, rows);
}
BENCHMARK(sum_up_rows)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dse::results
