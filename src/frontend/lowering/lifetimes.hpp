#pragma once

#include <cstdint>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/graph/buffer.hpp"
#include "frame.hpp"
#include "graph_tables.hpp"

namespace dse::frontend {

/// Determines when buffers are allocated and freed: from the item that produces a buffer to the last item
/// that uses it, both in the buffer's own region.
class Lifetimes {
  public:
    /// A buffer of the region at `level`; it occupies no memory before allocate() is called.
    MemoryId make(std::uint32_t level, Bytes size, graph::MemoryKind kind);
    /// A buffer for a result that overwrites `before`: it shares the buffer of `before`, unless the old value
    /// is read after the new buffer is allocated; then it is a copy.
    /// \return `before` itself if it belongs to another level
    MemoryId make_over(MemoryId before, std::uint32_t level, Bytes size, graph::MemoryKind kind);
    void allocate(MemoryId memory, std::size_t item);

    /// Records a use by item `item` of the region at `level`, which may belong to an unfinished loop inside
    /// the buffer's region.
    void use(MemoryId memory, std::uint32_t level, std::size_t item);
    /// Records that a finished loop was added as this item.
    void loop_added(std::uint32_t level, std::size_t item);

    /// Keeps a buffer until the end of its region if that is the region at `level`.
    void keep(MemoryId memory, std::uint32_t level);
    /// Never frees a buffer, because it holds a result of the entry.
    void keep_always(MemoryId memory);
    /// Does not count a buffer, because it shares memory that is counted already.
    void drop(MemoryId memory);

    /// Writes all buffers of a region into its items.
    /// \param marker  a work without duration, added at the end if no node can free a buffer
    void write(Frame& frame, GraphTables& tables, graph::WorkId marker);

  private:
    struct Memory {
        Bytes size;
        graph::MemoryKind kind{graph::MemoryKind::activations};
        std::uint32_t level{0};
        MemoryId before{no_memory};  ///< the memory that it overwrites, if possible
        std::int64_t first{-1};
        std::int64_t last{-1};
        enum class Until : std::uint8_t { last_use, end_of_region, for_ever } until{Until::last_use};
    };
    [[nodiscard]] bool is_allocated(const Memory& memory) const {
        return memory.first >= 0 && memory.size > Bytes{};
    }
    void lay_over_each_other(const std::vector<MemoryId>& memories);
    [[nodiscard]] Memory& of(MemoryId id) { return memories_[static_cast<std::size_t>(id)]; }

    std::vector<Memory> memories_;
    std::vector<std::vector<MemoryId>> of_level_;     ///< by level: buffers of the region that is open there
    std::vector<std::vector<MemoryId>> used_inside_;  ///< by level: buffers used in its unfinished loop
};

}  // namespace dse::frontend
