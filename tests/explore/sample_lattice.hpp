#pragma once

#include <memory>
#include <set>
#include <string>

#include "dse/space/space_text.hpp"
#include "explore/knowledge.hpp"

namespace dse::explore::test {

/// A lattice with what is known of it.
class Walked {
  public:
    explicit Walked(const std::string& yaml, std::uint64_t seed = 1)
        : lattice{space::parse_space(yaml)}, knowledge{lattice, seed} {}

    Lattice lattice;
    Knowledge knowledge;
};

inline Solution solution(std::vector<double> costs, double violation = 0.0, Genome genome = {}) {
    return {std::move(genome), std::move(costs), violation};
}

}  // namespace dse::explore::test
