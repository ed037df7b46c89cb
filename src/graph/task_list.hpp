#pragma once

#include <array>
#include <vector>

#include "dse/graph/pipeline.hpp"

namespace dse::graph {

/// Writes the tasks of a stage with two chunks and a split backward: each pass of a chunk processes the
/// microbatches in order; requests beyond the last microbatch are ignored.
class TaskList {
  public:
    TaskList(std::uint32_t microbatches, std::vector<Task>& tasks)
        : microbatches_{microbatches}, tasks_{tasks} {}

    void forward(std::uint16_t chunk, Form form = Form::plain) {
        add({Pass::forward, chunk, forwards_[chunk]++, form});
    }

    void backward(std::uint16_t chunk, Form form = Form::plain) {
        add({Pass::backward, chunk, backwards_[chunk]++, form});
    }

    /// Adds the weight pass of the earliest split backward that lacks one.
    /// \return whether there was one
    bool weight() {
        while (seen_ < tasks_.size()) {
            const Task task = tasks_[seen_++];
            if (task.pass != Pass::backward || task.form == Form::whole) continue;
            add({Pass::weight, task.chunk, task.microbatch});
            return true;
        }
        return false;
    }

    /// Number of forwards requested so far.
    [[nodiscard]] std::uint32_t forwards(std::uint16_t chunk) const { return forwards_[chunk]; }

  private:
    void add(const Task& task) {
        if (task.microbatch < microbatches_) tasks_.push_back(task);
    }

    std::uint32_t microbatches_;
    std::vector<Task>& tasks_;
    std::array<std::uint32_t, 2> forwards_{};
    std::array<std::uint32_t, 2> backwards_{};
    std::size_t seen_{0};  ///< tasks searched so far: all up to the last one whose weight pass is listed
};

}  // namespace dse::graph
