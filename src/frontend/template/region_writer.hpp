#pragma once

#include <utility>
#include <vector>

#include "block_state.hpp"

namespace dse::frontend {

/// A region under construction, to which nodes are added in issue order.
class RegionWriter {
  public:
    explicit RegionWriter(Structure& structure) : structure_{structure} {}

    graph::Region region;

    /// \param inputs  those without a source are left out
    /// \return the node's place in the region
    std::size_t add(graph::WorkId work, graph::NameId name, graph::StreamId stream,
                    std::vector<graph::ValueRef> inputs = {}) {
        graph::Item node;
        node.work = work;
        node.name = name;
        node.stream = stream;
        std::erase_if(inputs, [](graph::ValueRef ref) { return !exists(ref); });
        node.inputs = std::move(inputs);
        region.items.push_back(std::move(node));
        return region.items.size() - 1;
    }

    std::size_t add_collective(graph::WorkId work, graph::NameId name,
                               std::vector<graph::ValueRef> inputs = {}) {
        return add(work, name, stream_of(work, structure_), std::move(inputs));
    }

    /// Adds a collective that also waits for another one, explicitly if that is on another stream.
    std::size_t add_behind(graph::ValueRef before, graph::WorkId work, graph::NameId name,
                           std::vector<graph::ValueRef> inputs = {}) {
        const std::size_t node = add_collective(work, name, std::move(inputs));
        const bool is_node = before.source == graph::ValueRef::Source::item;
        if (is_node && region.items[before.index].stream != region.items[node].stream) wait(node, before);
        return node;
    }

    void wait(std::size_t node, graph::ValueRef value) {
        if (exists(value)) region.items[node].inputs.push_back(value);
    }
    void allocate(std::size_t node, graph::BufferId buffer) {
        region.items[node].allocates.push_back(buffer);
    }
    void free(std::size_t node, graph::BufferId buffer) { region.items[node].frees.push_back(buffer); }

  private:
    static bool exists(graph::ValueRef ref) { return ref.source != graph::ValueRef::Source::none; }

    Structure& structure_;
};

}  // namespace dse::frontend
