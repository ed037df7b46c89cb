#include "dse/sim/parts.hpp"

#include <bit>
#include <numeric>

namespace dse::sim {

Cause Cause::of(const graph::Work& work) {
    if (const auto* collective = std::get_if<graph::Collective>(&work))
        return communication(collective->axes);
    if (std::holds_alternative<graph::Transfer>(work)) return message();
    return idle();
}

void Parts::charge(Cause cause, double seconds) {
    if (cause == Cause::bubble()) {
        bubble += seconds;
    } else if (cause == Cause::idle()) {
        idle += seconds;
    } else if (cause == Cause::imbalance()) {
        imbalance += seconds;
    } else if (cause == Cause::message()) {
        message += seconds;
    } else {
        communication[cause.index()] += seconds;
        groups |= std::uint64_t{1} << cause.index();
    }
}

void Parts::charge_run(const graph::Work& work, double seconds) {
    if (const auto* kernel = std::get_if<graph::Compute>(&work)) {
        compute[static_cast<std::size_t>(kernel->op_class)] += seconds;
    } else {
        charge(Cause::of(work), seconds);
    }
}

void Parts::add(const Parts& other, double times) {
    for (std::size_t i = 0; i < compute.size(); ++i) compute[i] += times * other.compute[i];
    for (std::uint64_t left = other.groups; left != 0; left &= left - 1) {
        const auto group = static_cast<std::size_t>(std::countr_zero(left));
        communication[group] += times * other.communication[group];
    }
    groups |= other.groups;
    message += times * other.message;
    bubble += times * other.bubble;
    imbalance += times * other.imbalance;
    idle += times * other.idle;
}

double Parts::compute_time() const {
    return std::accumulate(compute.begin(), compute.end(), 0.0);
}

double Parts::communication_time() const {
    return std::accumulate(communication.begin(), communication.end(), 0.0);
}

double Parts::sum() const {
    return own_time() + message + bubble + imbalance;
}

}  // namespace dse::sim
