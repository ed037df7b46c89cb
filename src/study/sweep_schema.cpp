#include "dse/study/sweep_schema.hpp"

#include "dse/results/row_schema.hpp"
#include "dse/space/identity.hpp"

namespace dse::study {

results::ResultSchema result_schema(const Sweep& sweep, std::uint64_t ids) {
    results::ResultSchema schema = results::row_schema(*sweep.space, sweep.objectives);
    schema.sweep.name = sweep.name;
    schema.sweep.yaml = sweep.yaml;
    schema.sweep.facts = sweep.facts;
    schema.sweep.digest = space::digest(sweep.facts);
    schema.sweep.points = ids;
    return schema;
}

}  // namespace dse::study
