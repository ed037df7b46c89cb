#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dse::sim::event {

/// When kernels end that run slower while collectives or copies run beside them on their rank
/// (Durations::compute_slowdown). Calls come in the order of time.
class Slowdown {
  public:
    /// When a kernel ends as things stand. A later one of the same rank takes its place.
    struct Finish {
        double time{0};  ///< a multiple of the quantum
        std::uint64_t number{0};
    };

    /// \param factor  >= 1; 1: nothing slows down
    Slowdown(double factor, std::size_t ranks) : factor_{factor}, ranks_(ranks) {}

    [[nodiscard]] bool applies() const { return factor_ != 1.0; }

    /// A kernel begins that alone would take `duration`. \pre none runs on this rank
    Finish begin(std::int64_t rank, double now, double duration);
    /// A collective or copy begins.
    /// \return the end of the kernel that runs, where that moves
    std::optional<Finish> arrive(std::int64_t rank, double now);
    /// One ends. \return likewise
    std::optional<Finish> depart(std::int64_t rank, double now);
    /// \return whether that is how a kernel ends, which is then over
    bool end(std::int64_t rank, const Finish& finish);

  private:
    struct Rank {
        std::uint32_t beside{0};
        bool runs{false};
        double left{0};   ///< of the kernel, alone
        double since{0};  ///< when that was so
        std::uint64_t number{0};
    };
    [[nodiscard]] double pace(const Rank& rank) const { return rank.beside > 0 ? factor_ : 1.0; }
    static Rank& at(std::vector<Rank>& ranks, std::int64_t rank) {
        return ranks[static_cast<std::size_t>(rank)];
    }
    void advance(Rank& rank, double now) const;
    [[nodiscard]] Finish finish(Rank& rank) const;

    double factor_;
    std::vector<Rank> ranks_;
};

}  // namespace dse::sim::event
