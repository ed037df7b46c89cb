#include "machine_bench.hpp"

#include <span>
#include <utility>

#include "dse/base/error.hpp"
#include "dse/eval/deadline.hpp"

namespace dse::eval {

MachineBench::MachineBench(const study::Scenario& scenario, std::unique_ptr<frontend::Frontend> frontend)
    : scenario_{scenario}, simulator_{std::move(frontend)} {
    fields_.add("", scenario_);
}

MachineBench::Played MachineBench::play() {
    ++machine_;  // a new key for each machine
    try {
        return {simulator_
                    .run(scenario_, std::span<const double>{&machine_, 1}, WhenFull::simulate,
                         sim::Asked::For::time)
                    .metrics};
    } catch (const ModelError& error) {
        return {std::nullopt, error.what()};
    } catch (const OutOfTime& error) {
        return {std::nullopt, error.what()};
    }
}

MachineBench::Played MachineBench::play_with(const config::FieldRef& field, double value) {
    const double before = field.read();
    field.assign(value);
    Played result = play();
    field.assign(before);
    return result;
}

}  // namespace dse::eval
