#include "lifetimes.hpp"

#include <algorithm>

namespace dse::frontend {

using graph::Item;

MemoryId Lifetimes::make(std::uint32_t level, Bytes size, graph::MemoryKind kind) {
    if (!(size > Bytes{})) return no_memory;
    if (of_level_.size() <= level) {
        of_level_.resize(level + 1);
        used_inside_.resize(level + 1);
    }
    const auto id = static_cast<MemoryId>(memories_.size());
    memories_.push_back({size, kind, level});
    of_level_[level].push_back(id);
    return id;
}

MemoryId Lifetimes::make_over(MemoryId before, std::uint32_t level, Bytes size, graph::MemoryKind kind) {
    if (before != no_memory && of(before).level != level) return before;
    const MemoryId id = make(level, size, kind);
    if (id != no_memory) of(id).before = before;
    return id;
}

void Lifetimes::allocate(MemoryId memory, std::size_t item) {
    if (memory == no_memory) return;
    of(memory).first = of(memory).last = static_cast<std::int64_t>(item);
}

void Lifetimes::use(MemoryId memory, std::uint32_t level, std::size_t item) {
    if (memory == no_memory) return;
    Memory& used = of(memory);
    if (used.level == level) {
        used.last = std::max(used.last, static_cast<std::int64_t>(item));
    } else if (used.level < level) {
        used_inside_[used.level].push_back(memory);
    }
}

void Lifetimes::loop_added(std::uint32_t level, std::size_t item) {
    if (level >= used_inside_.size()) return;
    for (const MemoryId memory : used_inside_[level]) of(memory).last = static_cast<std::int64_t>(item);
    used_inside_[level].clear();
}

void Lifetimes::keep(MemoryId memory, std::uint32_t level) {
    if (memory != no_memory && of(memory).level == level) of(memory).until = Memory::Until::end_of_region;
}

void Lifetimes::keep_always(MemoryId memory) {
    if (memory != no_memory) of(memory).until = Memory::Until::for_ever;
}

void Lifetimes::drop(MemoryId memory) {
    if (memory != no_memory) of(memory).size = Bytes{};
}

// Each chain of memories that overwrite one another shares the buffer of the first, which lives until the end
// of the last.
void Lifetimes::lay_over_each_other(const std::vector<MemoryId>& memories) {
    for (auto id = memories.rbegin(); id != memories.rend(); ++id) {
        Memory& memory = of(*id);
        if (memory.before == no_memory || !is_allocated(memory)) continue;
        Memory& before = of(memory.before);
        const bool is_free = before.until == Memory::Until::last_use && before.last <= memory.first;
        if (!is_free || !is_allocated(before) || before.size != memory.size) continue;
        before.last = std::max(before.last, memory.last);
        before.until = memory.until;
        memory.size = Bytes{};
    }
}

void Lifetimes::write(Frame& frame, GraphTables& tables, graph::WorkId marker) {
    if (frame.level() >= of_level_.size()) return;
    const auto first_node_from = [&](std::size_t item) {
        while (item < frame.size() && frame.items()[item].kind != Item::Kind::node) ++item;
        if (item == frame.size()) {
            Item added;
            added.work = marker;
            frame.add(std::move(added));
        }
        return item;
    };
    lay_over_each_other(of_level_[frame.level()]);
    for (const MemoryId id : of_level_[frame.level()]) {
        const Memory memory = of(id);
        if (!is_allocated(memory)) continue;
        const graph::BufferId buffer = tables.buffer(memory.kind, memory.size);
        frame.items()[static_cast<std::size_t>(memory.first)].allocates.push_back(buffer);
        if (memory.until == Memory::Until::for_ever) continue;
        const std::size_t last = memory.until == Memory::Until::end_of_region
                                     ? frame.size() - 1
                                     : static_cast<std::size_t>(memory.last);
        frame.items()[first_node_from(last)].frees.push_back(buffer);
    }
    of_level_[frame.level()].clear();
}

}  // namespace dse::frontend
