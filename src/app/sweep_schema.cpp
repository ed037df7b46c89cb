#include "app/sweep_schema.hpp"

#include "dse/explore/row_schema.hpp"
#include "dse/space/identity.hpp"

namespace dse::app {

results::ResultSchema result_schema(const eval::Sweep& sweep, std::uint64_t ids) {
    results::ResultSchema schema = explore::row_schema(*sweep.space, sweep.objectives);
    schema.sweep.name = sweep.name;
    schema.sweep.yaml = sweep.yaml;
    schema.sweep.facts = sweep.facts;
    schema.sweep.digest = space::digest(sweep.facts);
    schema.sweep.points = ids;
    return schema;
}

}  // namespace dse::app
