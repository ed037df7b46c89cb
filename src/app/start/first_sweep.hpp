#pragma once

#include <cstdint>
#include <string>

#include "dse/config/library.hpp"

namespace dse::app {

enum class Goal : std::uint8_t { training, serving };

/// What a first sweep is about.
struct FirstSweep {
    std::string model{"llama3_8b"};
    std::string cluster{"h100_ndr400"};
    Goal goal{Goal::training};
    std::string name{};  ///< of the sweep; empty: after model and goal
};

/// The name of a sweep: that of its model and its goal where it has none.
std::string name_of(const FirstSweep& sweep);

/// A sweep of a few hundred points that runs as it is, with a comment on every line that one may want to
/// change: as many devices as the model needs, axes that divide its sizes. \throws InputError for a model or
/// cluster that is none, with the nearest, and for a goal that the model does
///         not have
std::string first_sweep_text(const FirstSweep& sweep, const config::Library& library);

}  // namespace dse::app
