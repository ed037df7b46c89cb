#include "dse/sim/event/program_cursor.hpp"

namespace dse::sim::event {

using workload::Item;
using workload::Task;

ProgramCursor::ProgramCursor(const workload::Graph& graph, std::uint32_t stage)
    : graph_{&graph}, program_{&graph.programs[graph.program_of[stage]]}, stage_{stage} {
    enter(program_->update, {}, 1);
}

const Item* ProgramCursor::next(Boundary& boundary) {
    while (section_ != Section::over) {
        if (frames_.empty()) {
            if (!enter_next_section_or_task(boundary)) return nullptr;
            continue;
        }
        Frame& frame = frames_.back();
        if (frame.item == frame.region->items.size()) {
            leave(boundary);
            continue;
        }
        const Item& item = frame.region->items[frame.item];
        if (item.kind == Item::Kind::node) return &item;
        enter_repeat(item);
    }
    return nullptr;
}

std::vector<Value> ProgramCursor::inputs() const {
    const Frame& frame = frames_.back();
    std::vector<Value> result;
    for (const workload::ValueRef input : frame.region->items[frame.item].inputs) {
        result.push_back(resolve(frame, input));
    }
    return result;
}

void ProgramCursor::yield(Value value) {
    Frame& frame = frames_.back();
    frame.values.push_back({std::move(value)});
    ++frame.item;
}

Value ProgramCursor::resolve(const Frame& frame, workload::ValueRef value) {
    switch (value.source) {
        case workload::ValueRef::Source::none:
            break;
        case workload::ValueRef::Source::port:
            return frame.ports[value.index];
        case workload::ValueRef::Source::item:
            return frame.values[value.index][value.output];
    }
    return {};
}

bool ProgramCursor::enter_next_section_or_task(Boundary& boundary) {
    const std::vector<Task>& tasks = graph_->schedule.tasks[stage_];
    if (section_ == Section::update) section_ = Section::tasks;
    if (section_ == Section::finish) section_ = Section::over;
    if (section_ == Section::over) return false;
    if (task_ == tasks.size()) {
        section_ = Section::finish;
        enter(program_->finish, {}, 1);
        return true;
    }
    const Task& task = tasks[task_];
    std::vector<Value> ports{boundary.receive(task, workload::source_of(task, stage_, graph_->schedule))};
    for (Value& value : saved_[{task.chunk, task.microbatch}]) ports.push_back(std::move(value));
    saved_.erase({task.chunk, task.microbatch});
    enter(workload::region_of(*program_, task, graph_->schedule), std::move(ports), 1);
    return true;
}

void ProgramCursor::enter(workload::RegionId region, std::vector<Value> ports, std::int64_t rounds) {
    frames_.push_back({&graph_->regions[region.index()], 0, rounds - 1, std::move(ports), {}});
}

void ProgramCursor::enter_repeat(const Item& item) {
    Frame& frame = frames_.back();
    std::vector<Value> ports = inputs();
    const std::int64_t count = program_->counts[item.count.index()];
    if (count > 0) {
        enter(item.body, std::move(ports), count);
        return;
    }
    frame.values.push_back(std::move(ports));
    ++frame.item;
}

void ProgramCursor::leave(Boundary& boundary) {
    Frame& frame = frames_.back();
    std::vector<Value> outputs;
    for (const workload::ValueRef output : frame.region->outputs) outputs.push_back(resolve(frame, output));
    if (frame.rounds_left > 0) {
        --frame.rounds_left;
        frame.item = 0;
        frame.ports = std::move(outputs);
        frame.values.clear();
        return;
    }
    frames_.pop_back();
    if (!frames_.empty()) {
        frames_.back().values.push_back(std::move(outputs));
        ++frames_.back().item;
    } else if (section_ == Section::tasks) {
        end_task(outputs, boundary);
    }
}

void ProgramCursor::end_task(const std::vector<Value>& outputs, Boundary& boundary) {
    const Task& task = graph_->schedule.tasks[stage_][task_++];
    saved_[{task.chunk, task.microbatch}].assign(outputs.begin() + 1, outputs.end());
    boundary.send(task, workload::destination_of(task, stage_, graph_->schedule), outputs.front());
}

}  // namespace dse::sim::event
