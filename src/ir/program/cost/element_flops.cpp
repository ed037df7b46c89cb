#include "ir/program/cost/flop_rules.hpp"

namespace dse::ir::flops {

Cost by_result(const Counted& of) {
    Cost cost;
    cost.flops = of.results();
    return cost;
}

Cost by_operand(const Counted& of) {
    Cost cost;
    cost.flops = of.all_elements();
    return cost;
}

Cost evaluated(const Counted& of) {
    Cost cost;
    cost.transcendentals = of.results();
    return cost;
}

}  // namespace dse::ir::flops
