#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/config/reader.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::eval {

/// How far predictions of one quantity are off, in a family of them: the logarithm of measured over predicted
/// lies within ± `width` four times of five.
struct ErrorFamily {
    // Which predictions it is of; an empty name stands for all.
    std::string kind;        ///< of models: dense, experts, program
    std::string generation;  ///< of devices
    std::string device;      ///< DeviceSpec::name
    std::string stack;       ///< first word of NamedStack::name
    double width{0.0};
    std::int64_t rows{0};  ///< it was measured on, and how many groups of configurations they are of
    std::int64_t groups{0};
    std::int64_t most_devices{0};  ///< of these rows
};

template <class Visitor>
void describe(Visitor& v, ErrorFamily& family) {
    v.optional("kind", family.kind, "of models");
    v.optional("generation", family.generation, "of devices");
    v.optional("device", family.device, "name of the device");
    v.optional("stack", family.stack, "first word of the stack's name");
    v.required("width", family.width, config::not_negative, "half of its interval of 80 %");
    v.optional("rows", family.rows, "measured rows behind it");
    v.optional("groups", family.groups, "groups of configurations that these are of");
    v.optional("most_devices", family.most_devices, "devices of the largest of them");
}

/// Names that belong together: models' templates of a kind, devices of a generation.
struct ErrorMember {
    std::string name;
    std::string of;
};

template <class Visitor>
void describe(Visitor& v, ErrorMember& member) {
    v.required("name", member.name, "of a template or a device");
    v.required("of", member.of, "the kind or generation that it belongs to");
}

/// How far inference is off, of measured prompts and deployments: a file of its own, made by
/// analysis/dse_analysis/fit_serving_errors.py. Wide families before narrow ones.
struct ServingErrors {
    std::vector<ErrorMember> templates;    ///< of models that have rows here
    std::vector<ErrorFamily> prompts;      ///< forward passes of whole prompts, nothing else on the machine
    std::vector<ErrorFamily> first_token;  ///< times to first token of deployments: queues and schedulers too
    std::vector<ErrorFamily> decode;       ///< times per output token
};

template <class Visitor>
void describe(Visitor& v, ServingErrors& errors) {
    v.records("templates", errors.templates, "templates of models that have rows here");
    v.records("prompts", errors.prompts, "errors of forward passes of whole prompts");
    v.records("first_token", errors.first_token, "errors of times to first token");
    v.records("decode", errors.decode, "errors of times per output token");
}

/// How far predictions are off, by family: what analysis/dse_analysis/fit_errors.py made of rows that were
/// left out, one file of workloads/measured.
struct ErrorTable {
    std::vector<ErrorMember> templates;
    std::vector<ErrorMember> generations;
    std::vector<ErrorFamily> time;  ///< from the widest family to the narrowest
    std::vector<ErrorFamily> memory;
    ServingErrors serving{};
    // Added to the width where there are no rows; in squares, as independent errors are.
    double of_device{0.0};
    double of_operators{0.0};
    double of_doubling{0.0};  ///< for each doubling of devices beyond most_devices

    /// Share of the errors' variance that configurations of one group have in common: a ratio of two lacks
    /// it.
    double correlation{0.0};

    /// Half an interval of 80 %, of the logarithm of measured over predicted; 0 where nothing is known.
    struct Widths {
        double time{0.0};
        double memory{0.0};
    };
    /// What decides.
    struct Case {
        std::string_view device;
        std::string_view stack;
        std::string_view model_template;  ///< "program" of a compiler's program
        std::int64_t devices{1};
        graph::Mode mode{graph::Mode::training};
    };
    [[nodiscard]] Widths of(const Case& which) const;
    /// Likewise of the time to first token of a deployment; 0 where nothing is known.
    [[nodiscard]] double of_first_token(const Case& which) const;

    [[nodiscard]] bool empty() const { return time.empty(); }
};

template <class Visitor>
void describe(Visitor& v, ErrorTable& table) {
    v.records("templates", table.templates, "templates of models that have rows");
    v.records("generations", table.generations, "devices that have rows");
    v.records("time", table.time, "errors of iteration times, wide families before narrow ones");
    v.records("memory", table.memory, "errors of peaks of memory, likewise");
    v.required("of_device", table.of_device, config::not_negative, "more, of devices without rows");
    v.required("of_operators", table.of_operators, config::not_negative, "more, of templates without rows");
    v.required("of_doubling", table.of_doubling, config::not_negative,
               "more, for each doubling of the devices beyond those of rows");
    v.required("correlation", table.correlation, config::between(0, 1),
               "share of the variance that configurations of one group have in common");
}

/// The library's, of workloads/measured; an empty one where it has none.
ErrorTable read_errors(const config::Library& library);

}  // namespace dse::eval
