#pragma once

#include <vector>

#include <boost/random/sobol.hpp>

#include "dse/space/sampler.hpp"

namespace dse::space {

/// The first `budget` points of a Sobol sequence with one dimension per axis, with a digital shift by the
/// seed, which preserves its uniformity. Points outside the space are omitted: see
/// DistinctSampler. Source: Sobol', USSR Comp.
/// Math. 7 (1967); direction numbers of Joe, Kuo, SIAM J. Sci. Comput. 30 (2008), by Boost.Random; digital
/// shift: Owen, "Randomly permuted (t,m,s)-nets", 1995.
class SobolSampler final : public Sampler {
  public:
    /// \throws InputError if there are more axes than direction numbers
    explicit SobolSampler(std::shared_ptr<const Space> space);

    [[nodiscard]] std::uint64_t size() const override { return size_; }
    bool point(std::uint64_t id, Point& point) const override;
    [[nodiscard]] std::unique_ptr<PointStream> points(std::uint64_t first, std::uint64_t last) const override;

  private:
    friend class SobolStream;
    using Engine = boost::random::sobol;

    /// Reads the engine's next point.
    bool draw(Engine& engine, std::uint64_t id, Point& point) const;

    std::shared_ptr<const Space> space_;
    std::uint64_t size_;
    Engine start_;
    std::vector<std::uint64_t> shifts_;  ///< per axis
};

}  // namespace dse::space
