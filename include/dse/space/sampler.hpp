#pragma once

#include <cstdint>
#include <memory>

#include "dse/space/point.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// Points of a range of ids in ascending order; ids whose point is not in the space are skipped.
class PointStream {
  public:
    PointStream() = default;
    PointStream(const PointStream&) = delete;
    PointStream& operator=(const PointStream&) = delete;
    virtual ~PointStream() = default;

    /// \param point  receives the point; its memory is reused from call to call
    /// \returns false if there are no more
    virtual bool next(Point& point) = 0;
};

/// Chooses the points of a space to evaluate. They have ids 0 … size() − 1. The point of an id depends on
/// (sweep, id) only, so that it is the same on every rank, and ranges of ids can be handed out and resumed.
class Sampler {
  public:
    Sampler() = default;
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;
    virtual ~Sampler() = default;

    /// Number of ids.
    [[nodiscard]] virtual std::uint64_t size() const = 0;

    /// The point of an id. \param id  < size() \returns whether it is in the space
    virtual bool point(std::uint64_t id, Point& point) const = 0;

    /// The points with ids first … last − 1. \param last  <= size()
    [[nodiscard]] virtual std::unique_ptr<PointStream> points(std::uint64_t first, std::uint64_t last) const;
};

/// The sampler requested by the sweep; a random one if the search is not a sampler.
/// \throws InputError if the space or the budget is not suitable for it
std::unique_ptr<Sampler> make_sampler(std::shared_ptr<const Space> space);

/// Whether that sampler, which by itself may draw a point of the space twice, draws each of them once. Its
/// ids then have other points than in versions of dse before it did.
bool draws_each_once(const Space& space);

}  // namespace dse::space
