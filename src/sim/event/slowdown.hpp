#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dse::sim::event {

/// Computes the ends of kernels that run slower while collectives run on their rank
/// (Durations::compute_slowdown). Calls must be in chronological order.
class Slowdown {
  public:
    /// When a kernel will end as far as is known. A later Finish of the same rank replaces it.
    struct Finish {
        double time{0};  ///< a multiple of the quantum
        std::uint64_t number{0};
    };

    /// \param factor  >= 1; 1: no slowdown
    Slowdown(double factor, std::size_t ranks) : factor_{factor}, ranks_(ranks) {}

    [[nodiscard]] bool applies() const { return factor_ != 1.0; }

    /// A kernel starts that takes `duration` when undisturbed. \pre no kernel runs on this rank
    Finish begin(std::int64_t rank, double now, double duration);
    /// A collective starts.
    /// \return the new end of the running kernel, if it changes
    std::optional<Finish> arrive(std::int64_t rank, double now);
    /// A collective ends. \return like arrive()
    std::optional<Finish> depart(std::int64_t rank, double now);
    /// Ends the running kernel if `finish` is still valid. \return whether it is
    bool end(std::int64_t rank, const Finish& finish);

  private:
    struct Rank {
        std::uint32_t beside{0};
        bool runs{false};
        double left{0};   ///< undisturbed time left of the kernel
        double since{0};  ///< time to which `left` refers
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
