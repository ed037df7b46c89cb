#include "dse/space/record.hpp"

#include "dse/base/check.hpp"

namespace dse::space {

std::string_view name(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::out_of_memory:
            return "out_of_memory";
        case Status::outside_validity:
            return "outside_validity";
        case Status::failed:
            return "failed";
        case Status::timed_out:
            return "timed_out";
    }
    DSE_REQUIRE(!"a status without a name");
    return {};
}

}  // namespace dse::space
