#pragma once

#include <cstdint>
#include <string>

#include "dse/config/library.hpp"

namespace dse::app {

enum class Goal : std::uint8_t { training, serving };

/// Subject of a first sweep.
struct FirstSweep {
    std::string model{"llama3_8b"};
    std::string cluster{"h100_ndr400"};
    Goal goal{Goal::training};
    std::int64_t devices{0};  ///< 0: as many as the model needs
    std::string name{};       ///< of the sweep; empty: derived from model and goal
};

/// The name of the sweep; if it has none, derived from its model and goal.
std::string name_of(const FirstSweep& sweep);

/// A sweep of a few hundred points that runs without changes, with a comment on every line that users may
/// want to change. It has as many devices as the model needs, and axes that divide the model's sizes.
/// \throws InputError for an unknown model or cluster, with a suggestion, and for a goal that the model does
///         not support
std::string first_sweep_text(const FirstSweep& sweep, const config::Library& library);

}  // namespace dse::app
