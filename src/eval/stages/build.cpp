#include "eval/stages/build.hpp"

#include <utility>

namespace dse::eval {

Build::Build(std::unique_ptr<frontend::Frontend> frontend) : frontend_{std::move(frontend)} {}

const graph::Graph& Build::operator()(const Job& job) {
    return frontend_->build(job.workload, job.layout);
}

const graph::Graph& Build::operator()(const Job& job, std::uint32_t steps) {
    graph::ResolvedLayout layout = job.layout;
    layout.steps = steps;
    return frontend_->build(job.workload, layout);
}

void Build::forget() {
    frontend_->forget();
}

}  // namespace dse::eval
