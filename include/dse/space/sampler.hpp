#pragma once

#include <cstdint>
#include <memory>

#include "dse/space/point.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// Points of a range of ids, in the order of their ids; ids that have no point in the space are left out.
class PointStream {
  public:
    PointStream() = default;
    PointStream(const PointStream&) = delete;
    PointStream& operator=(const PointStream&) = delete;
    virtual ~PointStream() = default;

    /// \param point  is filled; keeps its memory from call to call
    /// \returns false when there are no more
    virtual bool next(Point& point) = 0;
};

/// Chooses the points of a space that are looked at. They have ids 0 … size() − 1, and what an id stands for
/// is a pure function of (sweep, id): any rank finds the same, so that ranges of ids can be handed out and
/// resumed.
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

    /// All points with ids first … last − 1. \param last  <= size()
    [[nodiscard]] virtual std::unique_ptr<PointStream> points(std::uint64_t first, std::uint64_t last) const;
};

/// The sampler that the sweep asks for; of a search that is none of them, one that draws at random.
/// \throws InputError when the space or the budget does not suit it
std::unique_ptr<Sampler> make_sampler(std::shared_ptr<const Space> space);

}  // namespace dse::space
