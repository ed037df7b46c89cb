#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/choices.hpp"
#include "dse/config/library.hpp"
#include "dse/config/reader.hpp"
#include "dse/eval/error_interval.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::eval {

/// Whether tensor parallelism splits a model. Its ranks wait for one another in every layer.
enum class Tensors : std::uint8_t { any, whole, split };
DSE_CHOICES(Tensors, any, whole, split);

/// Prompts of deployments, whose first tokens depend on the host if they are short (of up to
/// ServingErrors::longest_short tokens), and on the devices if they are long.
enum class Prompts : std::uint8_t { any, short_ones, long_ones };
inline std::span<const std::string_view> choice_names(Prompts) {
    static constexpr std::array<std::string_view, 3> names{"any", "short", "long"};
    return names;
}

/// Prediction errors of one quantity in a family of configurations.
struct ErrorFamily {
    // Which configurations belong to the family; an empty name matches all.
    std::string kind;              ///< kind of model: dense, experts, program
    std::string generation;        ///< generation of the device
    std::string device;            ///< DeviceSpec::name
    std::string stack;             ///< beginning of NamedStack::name, of whole words
    ErrorInterval interval;        ///< with shift 0 where rows of the family's software were predicted
    std::int64_t rows{0};          ///< number of measured rows it is based on
    std::int64_t groups{0};        ///< number of groups of configurations in these rows
    std::int64_t most_devices{0};  ///< largest number of devices in these rows
    Tensors tensors{Tensors::any};
    Prompts prompt{Prompts::any};
    bool idealized{false};  ///< of workloads without a stack, whose software costs less than any
    bool exact{false};      ///< whether `stack` is the whole name
};

template <class Visitor>
void describe(Visitor& v, ErrorFamily& family) {
    v.optional("kind", family.kind, "kind of model");
    v.optional("generation", family.generation, "generation of the device");
    v.optional("device", family.device, "name of the device");
    v.optional("stack", family.stack, "beginning of the stack's name, of whole words");
    v.optional("exact", family.exact, "whether that is the whole name, so that its variants are not meant");
    v.optional("tensors", family.tensors, "whether tensor parallelism splits the model");
    v.optional("prompt", family.prompt, "of first tokens: which prompts");
    v.optional("idealized", family.idealized, "whether it holds workloads without a stack");
    v.optional("shift", family.interval.shift, shift_range, "middle of its 80 % interval");
    v.required("width", family.interval.width, width_range, "half of its 80 % interval");
    v.optional("rows", family.rows, "number of measured rows it is based on");
    v.optional("groups", family.groups, "number of groups of configurations in these rows");
    v.optional("most_devices", family.most_devices, "largest number of devices in these rows");
}

/// Assigns a name to a group: a model template to its kind, or a device to its generation.
struct ErrorMember {
    std::string name;
    std::string of;  ///< empty: to none
};

template <class Visitor>
void describe(Visitor& v, ErrorMember& member) {
    v.required("name", member.name, "name of a template or a device");
    v.optional("of", member.of, "the kind or generation that it belongs to");
}

/// A release of software, with all of its variants.
struct ErrorSoftware {
    std::string name;  ///< beginning of NamedStack::name, of whole words
};

template <class Visitor>
void describe(Visitor& v, ErrorSoftware& software) {
    v.required("name", software.name, "beginning of the stack's name, of whole words");
}

/// How far inference is off, of measured prompts and deployments: a file of its own, made by
/// analysis/dse_analysis/fit_serving_errors.py. Wide families before narrow ones.
struct ServingErrors {
    std::int64_t longest_short{0};         ///< tokens of the longest prompt that counts as short
    std::vector<ErrorMember> templates;    ///< of models that have rows here
    std::vector<ErrorFamily> prompts;      ///< forward passes of whole prompts, nothing else on the machine
    std::vector<ErrorFamily> first_token;  ///< times to first token of deployments: queues and schedulers too
    std::vector<ErrorFamily> decode;       ///< times per output token
};

template <class Visitor>
void describe(Visitor& v, ServingErrors& errors) {
    v.optional("longest_short", errors.longest_short, config::not_negative,
               "tokens of the longest prompt that counts as short");
    v.records("templates", errors.templates, "templates of models that have rows here");
    v.records("prompts", errors.prompts, "errors of forward passes of whole prompts");
    v.records("first_token", errors.first_token, "errors of times to first token");
    v.records("decode", errors.decode, "errors of times per output token");
}

/// Prediction errors by family: a file of workloads/measured, generated by
/// analysis/dse_analysis/fit_errors.py from held-out rows.
struct ErrorTable {
    std::vector<ErrorMember> templates;
    std::vector<ErrorMember> generations;
    std::vector<ErrorSoftware> stacks;  ///< whose steps were compared with measurements
    std::vector<ErrorFamily> time;      ///< from the widest family to the narrowest
    std::vector<ErrorFamily> memory;
    ServingErrors serving{};
    // What is added for cases without rows: shifts to the shift, widths in quadrature, as for independent
    // errors.
    double of_device{0.0};  ///< for devices without rows
    /// For devices without rows or products measured by shape, instead of of_device. Width 0: as of_device.
    ErrorInterval of_products;
    /// Likewise, for those described as a typical chip (devices/bases/typical_gpu.yaml).
    ErrorInterval of_typical;
    ErrorInterval of_stack;         ///< for training under a stack that is none of `stacks`
    ErrorInterval of_stack_memory;  ///< likewise for peaks, unless `memory` has a family of the stack
    double of_operators{0.0};       ///< for model templates without rows
    double of_doubling{0.0};        ///< per doubling of the number of devices beyond most_devices

    /// Share of the errors' variance that configurations of one group have in common; it cancels in the ratio
    /// of two of them.
    double correlation{0.0};

    struct Intervals {
        ErrorInterval time;
        ErrorInterval memory;
    };
    /// What a device's file rests on where it describes products.
    enum class Products : std::uint8_t {
        measured,  ///< its own, by shape
        typical,   ///< those of other chips, by its peak
        unknown,   ///< its peak
    };
    /// The properties that determine the intervals.
    struct Case {
        std::string_view device;
        std::string_view stack;           ///< NamedStack::name; empty: none
        std::string_view model_template;  ///< "program" for a compiler's program
        std::int64_t devices{1};
        graph::Mode mode{graph::Mode::training};
        Tensors tensors{Tensors::whole};
        Products products{Products::measured};
        std::int64_t prompt{0};  ///< tokens of a deployment's prompts; 0: unknown
    };
    [[nodiscard]] Intervals of(const Case& which) const;
    /// Likewise of the time to first token of a deployment.
    [[nodiscard]] ErrorInterval of_first_token(const Case& which) const;

    [[nodiscard]] bool empty() const { return time.empty(); }
};

template <class Visitor>
void describe(Visitor& v, ErrorTable& table) {
    v.records("templates", table.templates, "model templates with measured rows");
    v.records("generations", table.generations, "devices with measured rows");
    v.records("stacks", table.stacks, "software whose steps were compared with measurements");
    v.records("time", table.time, "errors of iteration times, wide families before narrow ones");
    v.records("memory", table.memory, "errors of memory peaks, wide families before narrow ones");
    v.required("of_device", table.of_device, width_range, "additional width for devices without rows");
    v.optional_section("of_typical", table.of_typical,
                       "for devices without rows that are described as typical ones, instead of of_device");
    v.optional_section("of_products", table.of_products,
                       "for devices without rows or products measured by shape, instead of of_device");
    v.optional_section("of_stack", table.of_stack, "for training under software that was never compared");
    v.optional_section("of_stack_memory", table.of_stack_memory, "likewise for memory peaks");
    v.required("of_operators", table.of_operators, width_range,
               "additional width for templates without rows");
    v.required("of_doubling", table.of_doubling, width_range,
               "additional width per doubling of the number of devices beyond that of the rows");
    v.required("correlation", table.correlation, config::between(0, 1),
               "share of the variance that configurations of one group have in common");
}

/// Reads the library's table from workloads/measured; empty if it has none.
ErrorTable read_errors(const config::Library& library);

}  // namespace dse::eval
