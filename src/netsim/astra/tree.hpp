#pragma once

#include "dse/netsim/astra/program.hpp"

namespace dse::netsim {

/// Position of a member in one of the two trees: a root with one child, below which is a perfect binary tree
/// numbered in order. The root is the last member in one tree and the first in the other.
struct AstraTreePlace {
    static constexpr std::int64_t none = -1;
    std::int64_t parent{none};
    std::int64_t left{none};
    std::int64_t right{none};
};

/// \param nodes       a power of two
/// \param root_first  selects the tree
AstraTreePlace place_in_tree(std::int64_t index, std::int64_t nodes, bool root_first);

/// Double binary tree: sums go up, the result comes down. A member ends as soon as it has passed the result
/// on, so members end at different times.
class AstraTree final : public AstraProgram {
  public:
    AstraTree(const AstraPhase& phase, std::int64_t index, std::int64_t turn);
    void start(Host& host) override;
    void ready(Host& host) override;
    void received(Host& host) override;

  private:
    enum class Step : std::uint8_t { collecting, sending_up, waiting_for_result, passing_down };

    [[nodiscard]] std::int64_t children() const;
    void send_down(Host& host) const;

    AstraTreePlace place_;
    std::int64_t bytes_;
    std::int64_t collected_{0};
    std::int64_t added_{0};
    Step step_{Step::collecting};
};

}  // namespace dse::netsim
