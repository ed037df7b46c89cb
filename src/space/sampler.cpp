#include "dse/space/sampler.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/space/registry.hpp"
#include "space/distinct_sampler.hpp"

namespace dse::space {

namespace {

/// Computes one id after the other.
class IdStream final : public PointStream {
  public:
    IdStream(const Sampler& sampler, std::uint64_t first, std::uint64_t last)
        : sampler_{sampler}, id_{first}, last_{last} {}

    bool next(Point& point) override {
        while (id_ < last_) {
            if (sampler_.point(id_++, point)) return true;
        }
        return false;
    }

  private:
    const Sampler& sampler_;
    std::uint64_t id_;
    std::uint64_t last_;
};

}  // namespace

std::unique_ptr<PointStream> Sampler::points(std::uint64_t first, std::uint64_t last) const {
    DSE_EXPECT(first <= last && last <= size());
    return std::make_unique<IdStream>(*this, first, last);
}

std::unique_ptr<Sampler> make_sampler(std::shared_ptr<const Space> space) {
    const auto& rows = samplers().rows();
    const auto named =
        std::ranges::find(rows, space->search().method, &FactoryTable<SamplerFactory>::Row::name);
    const SamplerFactory& make = named != rows.end() ? named->make : samplers().find("random");
    std::unique_ptr<Sampler> sampler = make(space);
    if (!draws_each_once(*space)) return sampler;
    return std::make_unique<DistinctSampler>(std::move(space), std::move(sampler));
}

bool draws_each_once(const Space& space) {
    const SearchSpec& search = space.search();
    const auto& rows = samplers().rows();
    return space.is_discrete() && space.grid_size().exact &&
           static_cast<std::uint64_t>(search.budget) <= DistinctSampler::most_ids &&
           std::ranges::any_of(rows, [&](const auto& row) {
               return row.name == search.method && row.make.coverage == Coverage::repeated;
           });
}

}  // namespace dse::space
