#include "dse/serving/class_meter.hpp"

#include <limits>

namespace dse::serving {

ClassMeter::ClassMeter(const graph::RequestClass& one) : levels_{one.levels}, limits_{one.levels} {
    outcome_.name = one.name;
}

bool ClassMeter::answered(const RequestLatencies& latencies, bool good) {
    ++outcome_.answered;
    first_.add(latencies.first);
    whole_.add(latencies.whole);
    if (latencies.per_token > 0.0) per_token_.add(latencies.per_token);
    const bool holds = good && limits_.hold(latencies);
    if (holds) ++outcome_.good;
    return holds;
}

ClassOutcome ClassMeter::outcome() {
    outcome_.latency[ttft] = first_.statistics();
    outcome_.latency[tpot] = per_token_.statistics();
    outcome_.latency[e2e] = whole_.statistics();
    outcome_.latency[itl].fill(std::numeric_limits<double>::quiet_NaN());
    outcome_.worst_level = worst_ratio(levels_, outcome_.latency);
    return outcome_;
}

}  // namespace dse::serving
