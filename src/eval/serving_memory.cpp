#include "eval/serving_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dse/base/check.hpp"

namespace dse::eval {
namespace {

using graph::MemoryKind;

/// A stage's needs as a function of the size of a batch's parts.
struct StageLine {
    double fixed{0};    ///< parameters
    double cache{0};    ///< cache and states per sequence
    double passing{0};  ///< passing memory per sequence of the current part
    double prompt{0};   ///< passing memory of a prompt

    [[nodiscard]] double need(double size, double parts) const {
        return fixed + cache * size * parts + std::max(passing * size, prompt);
    }
};

StageLine line_of(const StageNeed& stage, double prompt, const BatchShape& shape) {
    const double cache = stage.resident[static_cast<std::size_t>(MemoryKind::kv_cache)] +
                         stage.resident[static_cast<std::size_t>(MemoryKind::recurrent_state)];
    const auto size = static_cast<double>(shape.size);
    return {stage.resident_total - cache, cache / (size * static_cast<double>(shape.parts)),
            stage.passing_total / size, prompt};
}

/// The largest integer size that fits, >= 0.
double largest_size(const StageLine& line, double parts, double capacity) {
    const double room = capacity - line.fixed;
    const double with_prompt = (room - line.prompt) / (line.cache * parts);
    const double with_pass = room / (line.cache * parts + line.passing);
    double size = std::max(0.0, std::floor(std::min(with_prompt, with_pass)));
    // Corrects rounding errors of the quotients.
    if (line.need(size + 1.0, parts) <= capacity) size += 1.0;
    if (size > 0.0 && line.need(size, parts) > capacity) size -= 1.0;
    return size;
}

}  // namespace

void StageNeeds::read(const graph::Graph& graph) {
    table_.reset(graph);
    fold_.reset(graph, table_);
    stages_.assign(graph.schedule.stages, {});
    for (std::uint32_t i = 0; i < graph.schedule.stages; ++i) {
        StageNeed& need = stages_[i];
        for (const graph::BufferId id : graph.programs[graph.program_of[i]].resident) {
            const graph::Buffer& buffer = graph.buffers[id.index()];
            need.resident[static_cast<std::size_t>(buffer.kind)] += buffer.size.value();
            need.resident_total += buffer.size.value();
        }
        const sim::fold::MemorySummary summary = fold_.stage(i);
        need.passing_total = summary.peak - need.resident_total;
        for (std::size_t k = 0; k < need.passing.size(); ++k)
            need.passing[k] = summary.at_peak[k] - need.resident[k];
    }
}

std::vector<sim::MemoryPeak> stage_peaks(const graph::Graph& graph) {
    sim::fold::RegionTable table;
    sim::fold::MemoryFold fold;
    table.reset(graph);
    fold.reset(graph, table);
    std::vector<sim::MemoryPeak> peaks;
    for (std::uint32_t i = 0; i < graph.schedule.stages; ++i) {
        const sim::fold::MemorySummary stage = fold.stage(i);
        peaks.push_back({i, stage.peak, stage.at_peak, stage.host_peak});
    }
    return peaks;
}

std::vector<sim::MemoryPeak> serving_peaks(std::span<const StageNeed> stages,
                                           std::span<const StageNeed> prompt) {
    std::vector<sim::MemoryPeak> peaks;
    for (std::uint32_t i = 0; i < stages.size(); ++i) {
        const auto beside = prompt.empty() ? prompt : prompt.subspan(i, 1);
        peaks.push_back(serving_peak(stages.subspan(i, 1), beside));
        peaks.back().stage = i;
    }
    return peaks;
}

sim::MemoryPeak serving_peak(std::span<const StageNeed> stages, std::span<const StageNeed> prompt) {
    DSE_EXPECT(prompt.empty() || prompt.size() == stages.size());
    sim::MemoryPeak fullest;
    for (std::uint32_t i = 0; i < stages.size(); ++i) {
        const StageNeed& own = stages[i];
        const bool reads = !prompt.empty() && prompt[i].passing_total > own.passing_total;
        const StageNeed& passing = reads ? prompt[i] : own;
        const double total = own.resident_total + passing.passing_total;
        if (i > 0 && total <= fullest.total) continue;
        fullest = {i, total, own.resident};
        for (std::size_t k = 0; k < fullest.by_kind.size(); ++k) fullest.by_kind[k] += passing.passing[k];
    }
    return fullest;
}

std::int64_t batch_limit(std::span<const StageNeed> stages, std::span<const StageNeed> prompt,
                         const BatchShape& shape, double capacity) {
    DSE_EXPECT(shape.size >= 1 && shape.parts >= 1 && shape.replicas >= 1);
    const auto largest = [&](std::int64_t parts) {
        double size = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const StageLine line = line_of(stages[i], prompt.empty() ? 0.0 : prompt[i].passing_total, shape);
            size = std::min(size, largest_size(line, static_cast<double>(parts), capacity));
        }
        return static_cast<std::int64_t>(size);
    };
    if (const std::int64_t size = largest(shape.parts); size > 0) return size * shape.parts * shape.replicas;
    for (std::int64_t parts = shape.parts - 1; shape.may_have_fewer_parts && parts > 0; --parts) {
        if (largest(parts) > 0) return parts * shape.replicas;
    }
    return 0;
}

}  // namespace dse::eval
