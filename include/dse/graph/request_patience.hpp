#pragma once

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// How long clients wait for an answer before they give up; 0: for ever.
struct RequestPatience {
    Seconds first_token_timeout{0.0};  ///< for the first token
    Seconds timeout{0.0};              ///< for the last token
    friend bool operator==(const RequestPatience&, const RequestPatience&) = default;

    [[nodiscard]] bool ends() const { return first_token_timeout.value() > 0.0 || timeout.value() > 0.0; }
};

template <class Visitor>
void describe(Visitor& v, RequestPatience& patience) {
    v.optional("first_token_timeout", patience.first_token_timeout, config::not_negative,
               "clients give up if the first token takes longer; 0: they do not");
    v.optional("timeout", patience.timeout, config::not_negative,
               "clients give up if the whole answer takes longer; 0: they do not");
}

}  // namespace dse::graph
