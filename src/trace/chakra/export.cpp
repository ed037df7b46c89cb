#include "dse/trace/chakra/export.hpp"

#include <map>
#include <numeric>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/gibibyte.hpp"
#include "dse/graph/totals.hpp"
#include "dse/trace/chakra/communicators.hpp"
#include "dse/trace/chakra/trace_writer.hpp"

namespace dse::trace::chakra {
namespace {

void write_communicators(const Communicators& communicators, const std::string& path, Existing existing) {
    OutputFile file{path, existing};
    communicators.write_json(file.stream());
    file.close();
}

void make_folder_of(const std::string& prefix) {
    const std::filesystem::path folder = std::filesystem::path{prefix}.parent_path();
    if (folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
}

// A few tens of gigabytes per rank. Loops of a billion iterations are a short text, but not a trace that
// could be replayed.
constexpr double most_nodes = 1U << 28U;

void require_countable(const graph::Graph& graph) {
    const double nodes = most_nodes_of_a_rank(graph);
    if (nodes > most_nodes)
        throw ModelError(
            fmt::format("a rank's trace would hold {:.3g} nodes, more than {:.3g}: its loops run too often",
                        nodes, most_nodes));
}

/// Writes files and keeps track of them.
class Export {
  public:
    Export(const graph::Graph& graph, std::span<const double> seconds, const ExportOptions& options)
        : graph_{graph}, options_{options}, communicators_{graph}, writer_{graph, seconds, communicators_} {}

    ExportSummary run() {
        require_countable(graph_);
        make_folder_of(options_.prefix);
        summary_.communicator_file = options_.prefix + ".json";
        summary_.communicators = communicators_.count();
        clear_place();
        std::vector<std::int64_t> others;
        for (const std::int64_t rank : options_.ranks) {
            const std::int64_t stage = graph_.mesh.coordinate(graph::MeshAxis::pipeline, rank);
            if (size_of_stage_.contains(stage)) {
                others.push_back(rank);
            } else {
                size_of_stage_[stage] = write(rank);
            }
        }
        require_room(others);
        for (const std::int64_t rank : others) write(rank);
        write_communicators(communicators_, summary_.communicator_file, options_.existing);
        return summary_;
    }

  private:
    [[nodiscard]] std::string path_of(std::int64_t rank) const {
        return fmt::format("{}.{}.et", options_.prefix, rank);
    }

    /// Removes the communicators of earlier traces, so that they do not lie beside new traces.
    void clear_place() const {
        require_free(summary_.communicator_file, options_.existing);
        for (const std::int64_t rank : options_.ranks) require_free(path_of(rank), options_.existing);
        std::error_code ignored;
        if (std::filesystem::is_regular_file(summary_.communicator_file, ignored))
            std::filesystem::remove(summary_.communicator_file, ignored);
    }

    std::uint64_t write(std::int64_t rank) {
        if (options_.stopped && options_.stopped())
            throw Stopped(fmt::format("stopped after {} of {} traces; those are whole, '{}' is missing",
                                      summary_.files, options_.ranks.size(), summary_.communicator_file));
        TraceFile file{path_of(rank), options_.compression, options_.existing};
        summary_.nodes += writer_.write(rank, file);
        const std::uint64_t bytes = file.close();
        summary_.bytes += bytes;
        ++summary_.files;
        if (options_.progress) options_.progress(summary_.files);
        return bytes;
    }

    /// Existing files count as free space: they are overwritten.
    void require_room(const std::vector<std::int64_t>& ranks) const {
        std::uint64_t wanted = 0;
        for (const std::int64_t rank : ranks)
            wanted += size_of_stage_.at(graph_.mesh.coordinate(graph::MeshAxis::pipeline, rank));
        std::error_code error;
        const auto space = std::filesystem::space(folder(), error);
        if (error || wanted <= space.available) return;
        if (wanted <= space.available + size_of_traces_there()) return;
        throw InputError(
            fmt::format("'{}': {} more traces need {:.3g} GiB, and {:.3g} GiB are free (one rank a stage has "
                        "been written: "
                        "compress, or name fewer ranks)",
                        options_.prefix, ranks.size(), static_cast<double>(wanted) / gibibyte,
                        static_cast<double>(space.available) / gibibyte));
    }

    [[nodiscard]] std::uint64_t size_of_traces_there() const {
        const std::filesystem::path prefix{options_.prefix};
        const std::string begin = prefix.filename().string() + ".";
        std::uint64_t size = 0;
        std::error_code error;
        for (std::filesystem::directory_iterator entry{folder(), error}, end; !error && entry != end;
             entry.increment(error)) {
            std::error_code absent;
            const bool trace =
                entry->path().filename().string().starts_with(begin) && entry->path().extension() == ".et";
            const std::uintmax_t bytes = trace ? entry->file_size(absent) : 0;
            if (!absent) size += bytes;
        }
        return size;
    }

    [[nodiscard]] std::filesystem::path folder() const {
        const std::filesystem::path parent = std::filesystem::path{options_.prefix}.parent_path();
        return parent.empty() ? "." : parent;
    }

    const graph::Graph& graph_;
    const ExportOptions& options_;
    Communicators communicators_;
    TraceWriter writer_;
    ExportSummary summary_;
    std::map<std::int64_t, std::uint64_t> size_of_stage_;
};

}  // namespace

std::vector<std::int64_t> one_rank_of_each_stage(const graph::Mesh& mesh) {
    std::vector<std::int64_t> ranks;
    for (std::int64_t stage = 0; stage < mesh.degree(graph::MeshAxis::pipeline); ++stage)
        ranks.push_back(stage * mesh.stride(graph::MeshAxis::pipeline));
    return ranks;
}

std::vector<std::int64_t> every_rank(const graph::Mesh& mesh) {
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(mesh.ranks()));
    std::iota(ranks.begin(), ranks.end(), std::int64_t{0});
    return ranks;
}

ExportSummary export_traces(const graph::Graph& graph, std::span<const double> seconds,
                            const ExportOptions& options) {
    return Export{graph, seconds, options}.run();
}

}  // namespace dse::trace::chakra
