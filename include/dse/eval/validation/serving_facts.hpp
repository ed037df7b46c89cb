#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/config/range.hpp"
#include "dse/eval/validation/client_facts.hpp"
#include "dse/eval/validation/engine_facts.hpp"
#include "dse/eval/validation/launch_facts.hpp"
#include "dse/eval/validation/named_file.hpp"
#include "dse/eval/validation/pool_launch_facts.hpp"

namespace dse::eval {

/// Facts that a table of measured deployments does not contain. They describe software and clients; none
/// belongs to a single row.
struct ServingFacts {
    std::vector<NamedFile> models;      ///< files of workloads/models
    std::vector<NamedFile> clusters;    ///< files of hardware/clusters
    std::vector<NamedFile> precisions;  ///< precisions of matrix products
    std::vector<EngineFacts> engines;   ///< the last match applies
    std::vector<ClientFacts> clients;
    std::vector<LaunchFacts> launches;           ///< all matches apply, in order
    std::vector<PoolLaunchFacts> pool_launches;  ///< all matches apply, in order
    std::int64_t requests_a_client{10};          ///< number of measured requests per client
    /// Measured times to first token above this indicate a growing queue.
    Seconds overload{10.0};
};

template <class Visitor>
void describe(Visitor& v, ServingFacts& facts) {
    v.records("models", facts.models, "files of models");
    v.records("clusters", facts.clusters, "files of clusters");
    v.records("precisions", facts.precisions, "precisions of matrix products");
    v.records("engines", facts.engines, "engines and their releases");
    v.records("clients", facts.clients, "clients by kind of measurement");
    v.records("launches", facts.launches, "settings of published launch scripts");
    v.records("pool_launches", facts.pool_launches, "settings of published recipes with two pools");
    v.optional("requests_a_client", facts.requests_a_client, config::at_least(1),
               "number of measured requests per client");
    v.optional("overload", facts.overload, config::not_negative,
               "time to first token above which a deployment is overloaded");
}

ServingFacts read_serving_facts(const config::Node& node, config::Diagnostics& diagnostics);

/// \returns nullptr if none matches
const EngineFacts* find_engine(const ServingFacts& facts, const std::string& framework,
                               const std::string& release);

}  // namespace dse::eval
