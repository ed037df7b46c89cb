#pragma once

#include "dse/hardware/collective_spec.hpp"
#include "dse/hardware/scale_out_spec.hpp"
#include "dse/hardware/scale_up_spec.hpp"

namespace dse::hardware {

/// Two levels: fast domains, and a fabric between them.
struct NetworkSpec {
    ScaleUpSpec scale_up;
    ScaleOutSpec scale_out;
    CollectiveSpec collective;
};

template <class Visitor>
void describe(Visitor& v, NetworkSpec& network) {
    v.section("scale_up", network.scale_up, "network inside a domain");
    v.section("scale_out", network.scale_out, "network between domains");
    v.optional_section("collective", network.collective, "communication library");
}

Problems problems_of(const NetworkSpec& network);

}  // namespace dse::hardware
