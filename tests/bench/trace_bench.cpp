// What execution traces cost on one core: nodes a second into nothing, onto the disk, compressed and read
// back; and that memory does not grow with the ranks.

#include <fstream>
#include <string>

#include <benchmark/benchmark.h>

#include "dse/frontend/template/template_frontend.hpp"
#include "dse/trace/chakra/export.hpp"
#include "dse/trace/chakra/read_trace.hpp"
#include "dse/trace/chakra/trace_reader.hpp"
#include "dse/trace/chakra/trace_writer.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse {
namespace {

namespace chakra = trace::chakra;

/// Llama-3 405B at tp 8, pp 16 under ZeRO-1; 64 microbatches an iteration and rank.
class Job {
  public:
    explicit Job(std::int64_t ranks) : ranks_{ranks}, frontend_{config::Library({DSE_SOURCE_DIR})} {
        spec_.model = "llama3_405b";
        spec_.sequence = 8192;
        spec_.layout.tp = 8;
        spec_.layout.pp = 16;
        spec_.global_batch = ranks / (8 * 16) * 64;
        build();
        seconds_.assign(graph_->works.size(), 3.3e-6);
    }

    /// The programs of all classes of ranks, from the template and the layout anew.
    const graph::Graph& build() {
        frontend_.forget();
        graph_ = &frontend_.build(spec_, graph::resolve(spec_.layout, ranks_, spec_.global_batch));
        return *graph_;
    }

    [[nodiscard]] const graph::Graph& graph() const { return *graph_; }
    [[nodiscard]] std::span<const double> seconds() const { return seconds_; }

  private:
    std::int64_t ranks_;
    graph::WorkloadSpec spec_;
    frontend::TemplateFrontend frontend_;
    const graph::Graph* graph_{nullptr};
    std::vector<double> seconds_;
};

/// Resident memory of this process, in MB.
double resident_megabytes() {
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    file >> pages >> pages;
    return pages * 4096 / 1e6;
}

void count(benchmark::State& state, std::uint64_t nodes, std::uint64_t bytes) {
    state.counters["nodes/s"] = benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
    if (bytes == 0) return;
    state.counters["bytes/s"] = benchmark::Counter(static_cast<double>(bytes), benchmark::Counter::kIsRate);
    state.counters["bytes/node"] = static_cast<double>(bytes) / static_cast<double>(nodes);
}

void write(benchmark::State& state, const std::string& path, chakra::Compression compression) {
    const Job job{128};
    const chakra::Communicators communicators{job.graph()};
    const chakra::TraceWriter writer{job.graph(), job.seconds(), communicators};
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    for (auto _ : state) {
        chakra::TraceFile file{path, compression};
        nodes += writer.write(0, file);
        bytes += file.close();
    }
    count(state, nodes, bytes);
}

void write_into_nothing(benchmark::State& state) {
    write(state, "/dev/null", chakra::Compression::none);
}
BENCHMARK(write_into_nothing)->Unit(benchmark::kMillisecond);

void write_onto_disk(benchmark::State& state) {
    const test::TemporaryFolder folder;
    write(state, folder.path("t.et"), chakra::Compression::none);
}
BENCHMARK(write_onto_disk)->Unit(benchmark::kMillisecond);

void write_compressed(benchmark::State& state) {
    const test::TemporaryFolder folder;
    write(state, folder.path("t.et"), chakra::Compression::gzip);
}
BENCHMARK(write_compressed)->Unit(benchmark::kMillisecond);

void read_back(benchmark::State& state) {
    const test::TemporaryFolder folder;
    const Job job{128};
    const auto summary = chakra::export_traces(job.graph(), job.seconds(),
                                               {folder.path("t"), {0}, chakra::Compression::none, {}});
    for (auto _ : state) {
        chakra::TraceReader reader{folder.path("t.0.et")};
        chakra::TraceNode node;
        while (reader.next(node)) benchmark::DoNotOptimize(node);
    }
    count(state, summary.nodes * static_cast<std::uint64_t>(state.iterations()), 0);
}
BENCHMARK(read_back)->Unit(benchmark::kMillisecond);

/// A rank's trace as simulators take it, with its dependencies resolved.
void read_into_memory(benchmark::State& state, chakra::Compression compression) {
    const test::TemporaryFolder folder;
    const Job job{128};
    const auto summary =
        chakra::export_traces(job.graph(), job.seconds(), {folder.path("t"), {0}, compression, {}});
    std::size_t memory = 0;
    for (auto _ : state) {
        const chakra::RankTrace read = chakra::read_trace(folder.path("t.0.et"));
        memory = read.trace->memory();
    }
    count(state, summary.nodes * static_cast<std::uint64_t>(state.iterations()), 0);
    state.counters["resident_bytes/node"] = static_cast<double>(memory) / static_cast<double>(summary.nodes);
}
BENCHMARK_CAPTURE(read_into_memory, plain, chakra::Compression::none)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_into_memory, gzip, chakra::Compression::gzip)->Unit(benchmark::kMillisecond);

/// The program of every class of ranks, as a sweep simulates it.
void programs_of_classes(benchmark::State& state) {
    Job job{state.range(0)};
    const double before = resident_megabytes();
    for (auto _ : state) benchmark::DoNotOptimize(&job.build());
    state.counters["resident_MB"] = resident_megabytes();
    state.counters["grown_MB"] = resident_megabytes() - before;
}
BENCHMARK(programs_of_classes)->Arg(1024)->Arg(32768)->Arg(131072)->Unit(benchmark::kMillisecond);

/// One rank of each stage written out, and the communicators of all ranks.
void classes(benchmark::State& state) {
    const Job job{state.range(0)};
    const test::TemporaryFolder folder;
    const double before = resident_megabytes();
    std::uint64_t nodes = 0;
    for (auto _ : state) {
        nodes += chakra::export_traces(job.graph(), job.seconds(),
                                       {folder.path("t"),
                                        chakra::one_rank_of_each_stage(job.graph().mesh),
                                        chakra::Compression::none,
                                        {}})
                     .nodes;
    }
    count(state, nodes, 0);
    state.counters["resident_MB"] = resident_megabytes() - before;
}
BENCHMARK(classes)->Arg(1024)->Arg(32768)->Arg(131072)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dse
