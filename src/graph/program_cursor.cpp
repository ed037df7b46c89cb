#include "dse/graph/program_cursor.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::graph {

void refuse_deadlock(const Task& task) {
    throw ModelError(
        fmt::format("the pipeline schedule deadlocks: chunk {} of microbatch {} runs before the chunk "
                    "that it waits for",
                    task.chunk, task.microbatch));
}

}  // namespace dse::graph
