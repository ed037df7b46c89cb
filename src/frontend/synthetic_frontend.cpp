#include "dse/frontend/synthetic_frontend.hpp"

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "dse/base/seed.hpp"
#include "dse/frontend/program_files.hpp"
#include "dse/synth/family.hpp"
#include "dse/synth/instantiate.hpp"

namespace dse::frontend {
namespace {

using graph::WorkloadSpec;

/// The values that determine a sample: its family and parameters.
using SampleKey = std::pair<std::string, std::array<std::int64_t, 5>>;

SampleKey sample_key(const WorkloadSpec& workload, const graph::ResolvedLayout& layout) {
    return {workload.synthetic,
            {workload.seed, layout.mesh.ranks(), workload.global_batch, workload.sequence,
             static_cast<std::int64_t>(layout.queues)}};
}

}  // namespace

struct SyntheticFrontend::Impl {
    const synth::Family& family(const std::string& name) {
        auto found = families.find(name);
        if (found == families.end())
            found = families.emplace(name, synth::read_family(family_file(library, name, beside))).first;
        return found->second;
    }

    config::Library library;
    std::string beside;
    std::map<std::string, synth::Family, std::less<>> families{};
    std::optional<SampleKey> drawn{};  ///< key of `graph`
    graph::Graph graph{};
    std::uint64_t revision{0};
};

SyntheticFrontend::SyntheticFrontend(config::Library library, std::string beside)
    : impl_{new Impl{std::move(library), std::move(beside)}} {}

SyntheticFrontend::~SyntheticFrontend() = default;

std::string SyntheticFrontend::find(const std::string& file) const {
    return family_file(impl_->library, file, impl_->beside);
}

void SyntheticFrontend::check(const std::string& file) {
    impl_->family(file);
}

const graph::Graph& SyntheticFrontend::build(const WorkloadSpec& workload,
                                             const graph::ResolvedLayout& layout) {
    SampleKey key = sample_key(workload, layout);
    if (impl_->drawn == key) return impl_->graph;
    const synth::Family& family = impl_->family(workload.synthetic);
    // A batch of 1 is the default and means that the workload does not specify it.
    const synth::Wish wish{layout.mesh.ranks(), workload.global_batch > 1 ? workload.global_batch : 0,
                           workload.sequence};
    const auto seed = static_cast<std::uint64_t>(workload.seed);
    impl_->graph = instantiate(family.model->sample(wish, seed_of(seed, 0)), family.labels, layout.queues);
    impl_->graph.revision = ++impl_->revision;
    impl_->drawn = std::move(key);
    return impl_->graph;
}

void SyntheticFrontend::forget() {
    impl_->drawn.reset();
}

double SyntheticFrontend::parameter_count(const WorkloadSpec&) {
    return 0.0;
}

double SyntheticFrontend::active_parameter_count(const WorkloadSpec&) {
    return 0.0;
}

}  // namespace dse::frontend
