#pragma once

#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/hardware/pools_spec.hpp"

namespace dse::eval {

/// What a table calls something, and what it is called here.
struct NamedFile {
    std::string name;
    std::string file;
    double launch_factor{1.0};  ///< of models: see graph::SoftwareStack
};

template <class Visitor>
void describe(Visitor& v, NamedFile& named) {
    v.required("name", named.name, "in the table");
    v.required("file", named.file, "here");
    v.optional("launch_factor", named.launch_factor, config::not_negative,
               "of models: kernels that engines launch for each one that we model");
}

/// What is known of an engine and its releases.
struct EngineFacts {
    std::string match;  ///< what "framework release" begins with
    std::string stack{"vllm_2025"};
    graph::CachePrecision kv_cache_precision{graph::CachePrecision::automatic};
    Seconds collective_launch{0.0};  ///< of the engine's own all-reduce; 0: the cluster's
    graph::ServingEngine serving;
    hardware::CacheTransfer transfer{hardware::CacheTransfer::layers};
    hardware::FirstToken first_token{hardware::FirstToken::prefill};
};

template <class Visitor>
void describe(Visitor& v, EngineFacts& engine) {
    v.required("match", engine.match, "what framework and release begin with");
    v.optional("stack", engine.stack, "file of workloads/stacks");
    v.optional("kv_cache_precision", engine.kv_cache_precision, "of cached keys and values");
    v.optional("collective_launch", engine.collective_launch, config::not_negative,
               "fixed time of its own all-reduce");
    v.optional("transfer", engine.transfer, "of caches between pools");
    v.optional("first_token", engine.first_token, "which pool answers with it");
    v.optional_section("serving", engine.serving, "its defaults");
}

/// How a kind of measurement draws its requests.
struct ClientFacts {
    std::string source;
    double length_ratio{1.0};
};

template <class Visitor>
void describe(Visitor& v, ClientFacts& client) {
    v.required("source", client.source, "kind of measurement");
    v.optional("length_ratio", client.length_ratio, config::fraction, "shortest over longest");
}

/// What the published script of a measurement sets otherwise than the engine by itself. 0 and empty: any
/// deployment, and as it stands.
struct LaunchFacts {
    std::string source;  ///< what the kind of measurement begins with
    std::string framework;
    std::string release;
    std::string gpu;
    std::string model;  ///< file
    std::string quantization;
    std::int64_t prompt{0};
    std::int64_t output{0};
    std::int64_t least_clients{0};
    std::int64_t most_tp{0};
    std::int64_t token_budget{0};
    std::int64_t beyond_prompt{0};  ///< token_budget: this, a prompt, and a token for each client
    std::int64_t receive_every{0};
    std::int64_t hold_steps{0};
    double hold_share{0.0};
};

template <class Visitor>
void describe(Visitor& v, LaunchFacts& launch) {
    v.required("source", launch.source, "what the kind of measurement begins with");
    v.required("framework", launch.framework, "in the table");
    v.optional("release", launch.release, "in the table");
    v.optional("gpu", launch.gpu, "in the table");
    v.optional("model", launch.model, "file of workloads/models");
    v.optional("quantization", launch.quantization, "in the table");
    v.optional("prompt", launch.prompt, config::not_negative, "tokens");
    v.optional("output", launch.output, config::not_negative, "tokens");
    v.optional("least_clients", launch.least_clients, config::not_negative, "from so many on");
    v.optional("most_tp", launch.most_tp, config::not_negative, "up to so wide");
    v.optional("token_budget", launch.token_budget, config::not_negative, "that is set");
    v.optional("beyond_prompt", launch.beyond_prompt, config::not_negative,
               "token_budget beyond the prompt's tokens and one for each client");
    v.optional("receive_every", launch.receive_every, config::not_negative, "that is set");
    v.optional("hold_steps", launch.hold_steps, config::not_negative, "that is set");
    v.optional("hold_share", launch.hold_share, config::share, "that is set");
}

/// What a table of measured deployments does not say of them. Facts of software and clients; none belongs to
/// a row.
struct ServingFacts {
    std::vector<NamedFile> models;      ///< workloads/models
    std::vector<NamedFile> clusters;    ///< hardware/clusters
    std::vector<NamedFile> precisions;  ///< of products
    std::vector<EngineFacts> engines;   ///< the last that matches
    std::vector<ClientFacts> clients;
    std::vector<LaunchFacts> launches;  ///< all that match, one after another
    std::int64_t requests_a_client{10};
    /// s; a measured time to first token above it is that of a queue that grows.
    Seconds overload{10.0};
};

template <class Visitor>
void describe(Visitor& v, ServingFacts& facts) {
    v.records("models", facts.models, "files of models");
    v.records("clusters", facts.clusters, "files of clusters");
    v.records("precisions", facts.precisions, "of products");
    v.records("engines", facts.engines, "engines and their releases");
    v.records("clients", facts.clients, "kinds of measurement");
    v.records("launches", facts.launches, "published scripts");
    v.optional("requests_a_client", facts.requests_a_client, config::at_least(1), "that are measured");
    v.optional("overload", facts.overload, config::not_negative,
               "time to first token from which a deployment is overloaded");
}

ServingFacts read_serving_facts(const config::Node& node, config::Diagnostics& diagnostics);

/// \returns nullptr where nothing is known of it
const NamedFile* find_named(const std::vector<NamedFile>& all, const std::string& name);
const EngineFacts* find_engine(const ServingFacts& facts, const std::string& framework,
                               const std::string& release);

}  // namespace dse::eval
