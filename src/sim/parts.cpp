#include "dse/sim/parts.hpp"

#include <numeric>

namespace dse::sim {

Cause Cause::of(const workload::Work& work) {
    if (const auto* collective = std::get_if<workload::Collective>(&work))
        return communication(collective->axes);
    if (std::holds_alternative<workload::Transfer>(work)) return transfer();
    return idle();
}

void Parts::charge(Cause cause, double seconds) {
    if (cause == Cause::bubble()) {
        bubble += seconds;
    } else if (cause == Cause::idle()) {
        idle += seconds;
    } else if (cause == Cause::imbalance()) {
        imbalance += seconds;
    } else {
        communication[cause.index()] += seconds;
    }
}

void Parts::add(const Parts& other, double times) {
    for (std::size_t i = 0; i < compute.size(); ++i) compute[i] += times * other.compute[i];
    for (std::size_t i = 0; i < communication.size(); ++i) communication[i] += times * other.communication[i];
    bubble += times * other.bubble;
    imbalance += times * other.imbalance;
    idle += times * other.idle;
}

double Parts::compute_time() const {
    return std::accumulate(compute.begin(), compute.end(), 0.0);
}

double Parts::sum() const {
    return compute_time() + std::accumulate(communication.begin(), communication.end(), 0.0) + bubble +
           imbalance + idle;
}

}  // namespace dse::sim
