#pragma once

#include <utility>
#include <vector>

#include "block_state.hpp"

namespace dse::frontend {

/// A region under construction, to which items are added in issue order.
class RegionWriter {
  public:
    explicit RegionWriter(Structure& structure) : structure_{structure} {}

    graph::Region region;

    /// \param inputs  those without a source are left out
    /// \return the item's place in the region
    std::size_t add(graph::WorkId work, graph::NameId name, graph::StreamId stream,
                    std::vector<graph::ValueRef> inputs = {}) {
        graph::Item item;
        item.work = work;
        item.name = name;
        item.stream = stream;
        std::erase_if(inputs, [](graph::ValueRef ref) { return !exists(ref); });
        item.inputs = std::move(inputs);
        region.items.push_back(std::move(item));
        return region.items.size() - 1;
    }

    std::size_t add_collective(graph::WorkId work, graph::NameId name,
                               std::vector<graph::ValueRef> inputs = {}) {
        return add(work, name, stream_of(work, structure_), std::move(inputs));
    }

    /// Adds a collective that also waits for another one, explicitly if that is on another stream.
    std::size_t add_behind(graph::ValueRef before, graph::WorkId work, graph::NameId name,
                           std::vector<graph::ValueRef> inputs = {}) {
        const std::size_t item = add_collective(work, name, std::move(inputs));
        const bool is_item = before.source == graph::ValueRef::Source::item;
        if (is_item && region.items[before.index].stream != region.items[item].stream) wait(item, before);
        return item;
    }

    void wait(std::size_t item, graph::ValueRef value) {
        if (exists(value)) region.items[item].inputs.push_back(value);
    }
    void allocate(std::size_t item, graph::BufferId buffer) {
        region.items[item].allocates.push_back(buffer);
    }
    void free(std::size_t item, graph::BufferId buffer) { region.items[item].frees.push_back(buffer); }

  private:
    static bool exists(graph::ValueRef ref) { return ref.source != graph::ValueRef::Source::none; }

    Structure& structure_;
};

}  // namespace dse::frontend
