#pragma once

#include <vector>

#include "dse/space/sampler.hpp"
#include "space/permutation.hpp"

namespace dse::space {

/// `budget` draws such that each axis, cut into `budget` equal parts, has one draw in each part. Draws
/// outside the space have no point: see DistinctSampler. Source: McKay, Beckman, Conover, Technometrics 21
/// (1979).
class LatinHypercubeSampler final : public Sampler {
  public:
    explicit LatinHypercubeSampler(std::shared_ptr<const Space> space);

    [[nodiscard]] std::uint64_t size() const override { return size_; }
    bool point(std::uint64_t id, Point& point) const override;

  private:
    std::shared_ptr<const Space> space_;
    std::uint64_t seed_;
    std::uint64_t size_;
    std::vector<Permutation> parts_;  ///< per axis
};

}  // namespace dse::space
