#include "app/synth/synth.hpp"

#include <memory>

#include <CLI/CLI.hpp>

#include "app/command.hpp"

namespace dse::app {
namespace {

struct SynthPart {
    const char* name;
    const char* description;
    Action (*declare)(CLI::App& app);
};

constexpr SynthPart synth_parts[] = {
    {"fit", "learn a family of traces", &synth::declare_fit},
    {"sample", "draw new traces of a family", &synth::declare_sample},
    {"check", "play many samples of a family to the end", &synth::declare_check},
    {"graphs", "write traces as the graphs that families are learned from", &synth::declare_graphs},
    {"judge", "hold samples of a family against real traces", &synth::declare_judge},
};

}  // namespace

Action declare_synth(CLI::App& app) {
    app.require_subcommand(1);
    const auto chosen = std::make_shared<Action>();
    for (const SynthPart& part : synth_parts) {
        CLI::App& own = *app.add_subcommand(part.name, part.description);
        own.callback([chosen, action = part.declare(own)] { *chosen = action; });
    }
    return [chosen] { return (*chosen)(); };
}

}  // namespace dse::app
