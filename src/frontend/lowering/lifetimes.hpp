#pragma once

#include <cstdint>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/graph/buffer.hpp"
#include "frame.hpp"
#include "graph_tables.hpp"

namespace dse::frontend {

/// When buffers are allocated and freed: each from the item that makes it to the last one that uses it, both
/// in the region it belongs to.
class Lifetimes {
  public:
    /// A buffer of the region at `level`; it takes no memory until allocate() says where.
    MemoryId make(std::uint32_t level, Bytes size, graph::MemoryKind kind);
    /// The same, of what is written over `before`: it lies in that buffer, unless somebody reads what was
    /// there later than it is allocated; then it is a copy. \return `before` itself where that is of another
    /// level
    MemoryId make_over(MemoryId before, std::uint32_t level, Bytes size, graph::MemoryKind kind);
    void allocate(MemoryId memory, std::size_t item);

    /// Item `item` of the region at `level`, or one of a loop that is not finished there, uses it.
    void use(MemoryId memory, std::uint32_t level, std::size_t item);
    /// A finished loop has become this item.
    void loop_added(std::uint32_t level, std::size_t item);

    /// To the end of its region, where that is the one at `level`.
    void keep(MemoryId memory, std::uint32_t level);
    /// For ever: of a result of the entry.
    void keep_always(MemoryId memory);
    /// It lies where something else does that is counted already.
    void drop(MemoryId memory);

    /// Writes all buffers of a region into its items. \param marker  a work without duration, for where no
    /// node stands that could free one
    void write(Frame& frame, GraphTables& tables, graph::WorkId marker);

  private:
    struct Memory {
        Bytes size;
        graph::MemoryKind kind{graph::MemoryKind::activations};
        std::uint32_t level{0};
        MemoryId before{no_memory};  ///< in whose buffer it would be
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
    std::vector<std::vector<MemoryId>> of_level_;     ///< by level: of the region that is open there
    std::vector<std::vector<MemoryId>> used_inside_;  ///< by level: used by a loop that is not finished there
};

}  // namespace dse::frontend
