#include "app/synth/synth.hpp"

#include <array>

#include "app/subcommands.hpp"

namespace dse::app {

Action declare_synth(CLI::App& app) {
    static const std::array parts{
        Command{"fit", "learn a family of traces", &synth::declare_fit},
        Command{"sample", "draw new traces of a family", &synth::declare_sample},
        Command{"check", "simulate many samples of a family and check that each runs to its end",
                &synth::declare_check},
        Command{"graphs", "convert traces to the graphs that families are learned from",
                &synth::declare_graphs},
        Command{"judge", "compare samples of a family with real traces", &synth::declare_judge}};
    return declare_subcommands(app, parts);
}

}  // namespace dse::app
