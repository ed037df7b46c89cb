// The code of the visitors for the module's larger structs, compiled once: see described_once.hpp.
#include "dse/config/described_once.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/outline.hpp"
#include "dse/config/reader.hpp"
#include "dse/graph/adapter.hpp"
#include "dse/graph/compiler_passes.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/graph/traffic.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::graph {

DSE_DESCRIBE_HERE(SoftwareStack);
DSE_DESCRIBE_HERE(NamedStack);
DSE_DESCRIBE_HERE(WorkloadSpec);
DSE_DESCRIBE_HERE(Traffic);
DSE_DESCRIBE_HERE(ServingEngine);
DSE_DESCRIBE_HERE(ParallelLayout);
DSE_DESCRIBE_HERE(CompilerPasses);
DSE_DESCRIBE_HERE(Adapter);

}  // namespace dse::graph
