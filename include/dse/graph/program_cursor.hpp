#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/graph/referenced_value.hpp"

namespace dse::graph {

/// What a rank's program needs from its environment. `Value` represents a value of the graph; a
/// default-constructed one means "no value".
template <class Value>
class ProgramBoundary {
  public:
    virtual ~ProgramBoundary() = default;
    /// The boundary value of a task, received from the neighbouring stage; none at an end of the pipeline.
    /// Values passed between chunks of the same stage do not go through the boundary.
    virtual Value receive(const Task& task, const Peer& from) = 0;
    virtual void send(const Task& task, const Peer& to, const Value& value) = 0;
};

/// Walks through the program of one stage node by node, in issue order: update, tasks, finish. Repeats are
/// unrolled on the fly, so that memory grows only with the nesting depth of regions and with the microbatches
/// in flight.
template <class Value>
class ProgramCursor {
  public:
    enum class Section : std::uint8_t { update, tasks, finish, over };
    using Boundary = ProgramBoundary<Value>;

    /// One level of a node's position: there is one for each enclosing region, outermost first.
    struct Level {
        RegionId region;
        std::size_t item{0};
        std::int64_t round{0};  ///< number of completed iterations of this body
    };

    /// \param graph  must outlive the cursor
    ProgramCursor(const Graph& graph, std::uint32_t stage)
        : graph_{&graph}, program_{&graph.programs[graph.program_of[stage]]}, stage_{stage} {
        enter(program_->update, {}, 1);
    }

    /// The next node, or null at the end. Tasks entered and left on the way receive and send their boundary
    /// values.
    /// \throws ModelError if a chunk runs before the chunk of the same stage that it depends on
    const Item* next(Boundary& boundary);
    /// The inputs of the node that next() returned, in order; valid until the next call.
    [[nodiscard]] std::span<const Value> inputs();
    /// Sets the result of the node that next() returned. Must be called before next() is called again.
    void yield(Value value);

    [[nodiscard]] Section section() const { return section_; }
    /// The current task; the first one of an overlapped pair.
    /// \pre section() is tasks, and next() has been called
    [[nodiscard]] const Task& task() const { return graph_->schedule.tasks[stage_][task_]; }
    [[nodiscard]] std::size_t depth() const { return depth_; }
    /// \param level  below depth()
    [[nodiscard]] const Level& level(std::size_t level) const { return frames_[level].level; }
    /// Changes whenever a region is entered, repeated or left: while it stays the same, so do all levels'
    /// regions and rounds.
    [[nodiscard]] std::uint64_t moves() const { return moves_; }

  private:
    struct Frame {
        Level level;
        const Region* region{nullptr};
        std::int64_t rounds_left{0};  ///< remaining iterations of a repeat's body after this one
        std::vector<Value> ports;
        std::vector<Value> values;         ///< values of all items so far
        std::vector<std::uint32_t> first;  ///< by item: index of its first value
    };

    bool enter_next_section_or_task(Boundary& boundary);
    Value receive(const Task& task, Boundary& boundary);
    void enter(RegionId region, std::span<Value> ports, std::int64_t rounds);
    void enter_repeat(const Item& item);
    void leave(Boundary& boundary);
    void end_task(std::span<Value> outputs, Boundary& boundary);
    void hand_on(const Task& task, const Value& value, Boundary& boundary);
    void resolve(const Frame& frame, std::span<const ValueRef> references);
    void add_values(Frame& frame, std::span<Value> values);
    [[nodiscard]] Frame& top() { return frames_[depth_ - 1]; }

    const Graph* graph_;
    const StageProgram* program_;
    std::uint32_t stage_;
    Section section_{Section::update};
    std::size_t task_{0};
    std::uint64_t moves_{0};
    std::vector<Frame> frames_;  ///< the first depth_ are in use; the others are kept for their memory
    std::size_t depth_{0};
    std::vector<Value> resolved_;
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::vector<Value>>
        saved_;  ///< by chunk and microbatch
    std::map<std::tuple<Pass, std::uint16_t, std::uint32_t>, Value>
        handed_over_;  ///< values passed between chunks of this stage, by sender
};

/// \throws ModelError always
[[noreturn]] void refuse_deadlock(const Task& task);

template <class Value>
const Item* ProgramCursor<Value>::next(Boundary& boundary) {
    while (section_ != Section::over) {
        if (depth_ == 0) {
            if (!enter_next_section_or_task(boundary)) return nullptr;
            continue;
        }
        const Frame& frame = top();
        if (frame.level.item == frame.region->items.size()) {
            leave(boundary);
            continue;
        }
        const Item& item = frame.region->items[frame.level.item];
        if (item.kind == Item::Kind::node) return &item;
        enter_repeat(item);
    }
    return nullptr;
}

template <class Value>
std::span<const Value> ProgramCursor<Value>::inputs() {
    const Frame& frame = top();
    resolve(frame, frame.region->items[frame.level.item].inputs);
    return resolved_;
}

template <class Value>
void ProgramCursor<Value>::yield(Value value) {
    add_values(top(), {&value, 1});
}

template <class Value>
void ProgramCursor<Value>::add_values(Frame& frame, std::span<Value> values) {
    frame.first.push_back(static_cast<std::uint32_t>(frame.values.size()));
    for (Value& value : values) frame.values.push_back(std::move(value));
    ++frame.level.item;
}

template <class Value>
void ProgramCursor<Value>::resolve(const Frame& frame, std::span<const ValueRef> references) {
    resolved_.clear();
    const Value none{};
    for (const ValueRef reference : references) {
        resolved_.push_back(referenced_value<Value>(reference, frame.ports, frame.first, frame.values, none));
    }
}

template <class Value>
bool ProgramCursor<Value>::enter_next_section_or_task(Boundary& boundary) {
    const std::vector<Task>& tasks = graph_->schedule.tasks[stage_];
    if (section_ == Section::update) section_ = Section::tasks;
    if (section_ == Section::finish) section_ = Section::over;
    if (section_ == Section::over) return false;
    if (task_ == tasks.size()) {
        section_ = Section::finish;
        enter(program_->finish, {}, 1);
        return true;
    }
    const Task* const first = tasks.data() + task_;
    const Task* const last = first + played_together(*first) - 1;
    resolved_.clear();
    for (const Task* task = first; task <= last; ++task) resolved_.push_back(receive(*task, boundary));
    if (const auto saved = saved_.find({last->chunk, last->microbatch}); saved != saved_.end()) {
        for (Value& value : saved->second) resolved_.push_back(std::move(value));
        saved_.erase(saved);
    }
    enter(region_of(*program_, *first, graph_->schedule), resolved_, 1);
    return true;
}

template <class Value>
Value ProgramCursor<Value>::receive(const Task& task, Boundary& boundary) {
    const Peer from = source_of(task, stage_, graph_->schedule);
    if (from.kind != Peer::Kind::local) return boundary.receive(task, from);
    const auto found = handed_over_.find({from.task.pass, from.task.chunk, from.task.microbatch});
    if (found == handed_over_.end()) refuse_deadlock(task);
    Value value = std::move(found->second);
    handed_over_.erase(found);
    return value;
}

template <class Value>
void ProgramCursor<Value>::enter(RegionId region, std::span<Value> ports, std::int64_t rounds) {
    if (depth_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    ++moves_;
    frame.level = {region, 0, 0};
    frame.region = &graph_->regions[region.index()];
    frame.rounds_left = rounds - 1;
    frame.ports.assign(std::make_move_iterator(ports.begin()), std::make_move_iterator(ports.end()));
    frame.values.clear();
    frame.first.clear();
}

template <class Value>
void ProgramCursor<Value>::enter_repeat(const Item& item) {
    resolve(top(), item.inputs);
    const std::int64_t count = program_->counts[item.count.index()];
    if (count > 0) {
        enter(item.body, resolved_, count);
    } else {
        add_values(top(), resolved_);
    }
}

template <class Value>
void ProgramCursor<Value>::leave(Boundary& boundary) {
    Frame& frame = top();
    resolve(frame, frame.region->outputs);
    ++moves_;
    frame.values.clear();
    frame.first.clear();
    frame.ports.clear();
    if (frame.rounds_left > 0) {
        --frame.rounds_left;
        ++frame.level.round;
        frame.level.item = 0;
        std::swap(frame.ports, resolved_);
        return;
    }
    --depth_;
    if (depth_ > 0) {
        add_values(top(), resolved_);
    } else if (section_ == Section::tasks) {
        end_task(resolved_, boundary);
    }
}

template <class Value>
void ProgramCursor<Value>::end_task(std::span<Value> outputs, Boundary& boundary) {
    const Task& task = this->task();
    const std::size_t count = played_together(task);
    for (std::size_t k = 0; k < count; ++k) hand_on((&task)[k], outputs[k], boundary);
    const std::span<Value> saved = outputs.subspan(count);
    if (!saved.empty()) {
        saved_[{task.chunk, task.microbatch}].assign(std::make_move_iterator(saved.begin()),
                                                     std::make_move_iterator(saved.end()));
    }
    task_ += count;
}

template <class Value>
void ProgramCursor<Value>::hand_on(const Task& task, const Value& value, Boundary& boundary) {
    const Peer to = destination_of(task, stage_, graph_->schedule);
    if (to.kind == Peer::Kind::local) {
        handed_over_[{task.pass, task.chunk, task.microbatch}] = value;
    } else {
        boundary.send(task, to, value);
    }
}

}  // namespace dse::graph
