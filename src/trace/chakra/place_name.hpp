#pragma once

#include <string>
#include <string_view>

#include "dse/graph/graph.hpp"
#include "dse/graph/program_cursor.hpp"

namespace dse::trace::chakra {

/// The first part of node names: the task, and the iteration of each repeated region, as in
/// "forward.3/decoder_layer_forward[1.17]/". Rebuilt only when a region is entered or left.
class PlaceName {
  public:
    explicit PlaceName(const graph::Graph& graph);

    template <class Value>
    std::string_view of(const graph::ProgramCursor<Value>& cursor) {
        if (cursor.moves() != moves_) {
            moves_ = cursor.moves();
            begin(cursor.section() == graph::ProgramCursor<Value>::Section::tasks ? &cursor.task() : nullptr,
                  cursor.level(0).region);
            for (std::size_t l = 1; l < cursor.depth(); ++l)
                descend(cursor.level(l - 1).item, cursor.level(l).region, cursor.level(l).round);
        }
        return text_;
    }

    /// For the messages of a task, which are in no region.
    std::string_view of(const graph::Task& task);

  private:
    void begin(const graph::Task* task, graph::RegionId region);
    void descend(std::size_t item, graph::RegionId region, std::int64_t round);
    void append(std::string_view text) { text_ += text; }
    void append(std::uint64_t number);

    const graph::PipelineSchedule& schedule_;
    std::vector<std::string> regions_;  ///< names, without spaces
    std::string text_;
    std::uint64_t moves_{0};
};

}  // namespace dse::trace::chakra
