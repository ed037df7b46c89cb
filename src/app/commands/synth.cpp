#include "app/synth/synth.hpp"

#include <array>

#include "app/subcommands.hpp"

namespace dse::app {

Action declare_synth(CLI::App& app) {
    static const std::array parts{
        Command{"fit", "learn a family of traces", &synth::declare_fit},
        Command{"sample", "draw new traces of a family", &synth::declare_sample},
        Command{"check", "play many samples of a family to the end", &synth::declare_check},
        Command{"graphs", "write traces as the graphs that families are learned from",
                &synth::declare_graphs},
        Command{"judge", "hold samples of a family against real traces", &synth::declare_judge}};
    return declare_subcommands(app, parts);
}

}  // namespace dse::app
