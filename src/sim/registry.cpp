#include "dse/sim/engine.hpp"
#include "dse/sim/event/event_engine.hpp"
#include "dse/sim/fold/folded_engine.hpp"

namespace dse::sim {

const FactoryTable<EngineFactory>& engines() {
    static const FactoryTable<EngineFactory> table{
        "engine",
        {
            {"folded", "one rank per pipeline stage, with (max,+) operators: exact, microseconds per point",
             []() -> std::unique_ptr<Engine> { return std::make_unique<fold::FoldedEngine>(); }},
            {"event", "every node of every rank, with an event queue: the reference, for small systems",
             []() -> std::unique_ptr<Engine> { return std::make_unique<event::EventEngine>(); }},
        }};
    return table;
}

}  // namespace dse::sim
