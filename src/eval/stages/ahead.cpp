#include "eval/stages/ahead.hpp"

#include <algorithm>
#include <utility>

#include "dse/base/error.hpp"
#include "dse/eval/durations.hpp"

namespace dse::eval {
namespace {

/// Other systems need additional steps in Cost, which are only done for the current machine.
bool is_plain(const hardware::SystemSpec& system) {
    return system.device_classes.empty() && !system.stragglers.exist();
}

}  // namespace

const Ahead::Answer* Ahead::find(const Job& job, const graph::Graph& graph, sim::Engine& engine) {
    const bool may_know = job.asked == sim::Asked::For::time || job.asked == sim::Asked::For::path;
    if (!may_know || graph.revision == 0) return nullptr;
    const GraphState state = state_of(job, graph);
    if (graph_ != &graph || state_ != state || what_ != job.asked) begin(graph, state, job.asked);
    const std::uint64_t machine = job.machine.serial;
    if (std::find(asked_.begin(), asked_.end(), machine) == asked_.end()) asked_.push_back(machine);
    const Answer* answer = known(machine);
    if (answer == nullptr) {
        const std::vector<std::uint64_t> likely = likely_after(machine);
        if (likely.empty()) return nullptr;
        const std::size_t first = count_;
        add(job, graph, machine);
        for (const std::uint64_t other : likely) add(job, graph, other);
        play(graph, engine, first);
        answer = known(machine);
    }
    return answer != nullptr && answer->result ? answer : nullptr;
}

void Ahead::forget() {
    graph_ = nullptr;
    asked_.clear();
    before_.clear();
    count_ = 0;
}

void Ahead::begin(const graph::Graph& graph, const GraphState& state, sim::Asked::For what) {
    graph_ = &graph;
    state_ = state;
    what_ = what;
    before_ = std::exchange(asked_, {});
    count_ = 0;
}

const Ahead::Answer* Ahead::known(std::uint64_t machine) const {
    const auto end = answers_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto found =
        std::find_if(answers_.begin(), end, [&](const Answer& answer) { return answer.machine == machine; });
    return found == end ? nullptr : &*found;
}

std::vector<std::uint64_t> Ahead::likely_after(std::uint64_t machine) const {
    std::vector<std::uint64_t> likely;
    auto next = std::find(before_.begin(), before_.end(), machine);
    if (next == before_.end()) return likely;
    for (++next; next != before_.end() && likely.size() + 1 < most_at_once; ++next) {
        if (known(*next) == nullptr) likely.push_back(*next);
    }
    return likely;
}

/// Whether kernels take the same times as in the first answer for the graph.
bool Ahead::like_first(const Machine& machine) const {
    const Machine* first = machines_.find(answers_.front().machine);
    return first != nullptr && have_same_kernels(*first, machine);
}

/// Skips machines on which the graph cannot be costed; the job that requests them reports the error.
void Ahead::add(const Job& job, const graph::Graph& graph, std::uint64_t serial) {
    const Machine* machine = machines_.find(serial);
    if (machine == nullptr || machine->engine != job.machine.engine || !is_plain(machine->system)) return;
    if (answers_.size() == count_) answers_.emplace_back();
    Answer& answer = answers_[count_];
    try {
        const bool is_like_first = count_ > 0 && like_first(*machine);
        fill_durations(graph, *machine, machine->system.cluster, answer.durations,
                       is_like_first ? &answers_.front().durations : nullptr);
    } catch (const ModelError&) {
        return;
    }
    answer.machine = serial;
    answer.result.reset();
    ++count_;
}

/// \param first  index of the first answer to be simulated
void Ahead::play(const graph::Graph& graph, sim::Engine& engine, std::size_t first) {
    std::vector<const sim::Durations*> durations;
    for (std::size_t i = first; i < count_; ++i) durations.push_back(&answers_[i].durations);
    std::vector<std::optional<sim::Result>> results;
    try {
        results = engine.play_abreast(graph, durations, {what_});
    } catch (const ModelError&) {
        return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i]) continue;
        sim::to_seconds(*results[i], durations[i]->unit);
        answers_[first + i].result = *results[i];
    }
}

}  // namespace dse::eval
