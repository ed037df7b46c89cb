#pragma once

#include <array>
#include <vector>

#include "dse/graph/pipeline.hpp"

namespace dse::graph {

/// Writes the tasks of a stage with two chunks and a split backward: each pass of a chunk takes the
/// microbatches one after the other; what is asked for beyond the last one is left out.
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

    /// The weight pass of the earliest split backward that lacks it, if there is one.
    /// \return whether there was
    bool weight() {
        while (seen_ < tasks_.size()) {
            const Task task = tasks_[seen_++];
            if (task.pass != Pass::backward || task.form == Form::whole) continue;
            add({Pass::weight, task.chunk, task.microbatch});
            return true;
        }
        return false;
    }

    /// How many have been asked for.
    [[nodiscard]] std::uint32_t forwards(std::uint16_t chunk) const { return forwards_[chunk]; }

  private:
    void add(const Task& task) {
        if (task.microbatch < microbatches_) tasks_.push_back(task);
    }

    std::uint32_t microbatches_;
    std::vector<Task>& tasks_;
    std::array<std::uint32_t, 2> forwards_{};
    std::array<std::uint32_t, 2> backwards_{};
    std::size_t seen_{0};  ///< tasks of the list up to the last one whose weight pass is listed
};

}  // namespace dse::graph
