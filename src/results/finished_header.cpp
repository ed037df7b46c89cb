#include "results/finished_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "results/hdf5/attribute.hpp"
#include "results/hdf5/dataset.hpp"

namespace dse::results {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view results_kind = "dse results";
constexpr const char* shown_units_attribute = "point_shown_units";  // since version 2.1
constexpr const char* settings_attribute = "sweep_settings";        // since version 2.1
constexpr const char* unsealed_attribute = "unsealed";

void write_sweep(const h5::File& file, const SweepIdentity& sweep) {
    const hid_t root = file.id();
    write_attribute(file, root, "sweep_name", sweep.name);
    write_attribute(file, root, "sweep_yaml", sweep.yaml);
    if (!sweep.settings.empty()) write_attribute(file, root, settings_attribute, sweep.settings);
    write_attribute(file, root, "sweep_digest", to_string(sweep.digest));
    write_attribute(file, root, "seed", sweep.seed);
    write_attribute(file, root, "space_points", sweep.points);
    Texts names;
    Texts values;
    for (const auto& [name, value] : sweep.facts) {
        names.push_back(name);
        values.push_back(value);
    }
    write_attribute(file, root, "fact_names", names);
    write_attribute(file, root, "fact_values", values);
    Texts objectives;
    for (const metrics::Objective& objective : sweep.objectives) objectives.push_back(to_string(objective));
    write_attribute(file, root, "objectives", objectives);
}

std::string joined(const Texts& labels) {
    std::string text;
    for (const std::string& label : labels) text += label + '\n';
    return text;
}

Texts split(std::string_view text) {
    Texts labels;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        labels.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return labels;
}

void write_columns(const h5::File& file, const ResultSchema& schema) {
    Texts names, kinds, roles, units, shown_units, labels, metrics, metric_units;
    for (const Column& column : schema.points) {
        names.push_back(column.name);
        kinds.emplace_back(name(column.kind));
        roles.emplace_back(name(column.role));
        units.push_back(column.unit);
        shown_units.push_back(column.shown_unit);
        labels.push_back(joined(column.labels));
    }
    for (const MetricColumn& column : schema.metrics) {
        metrics.push_back(column.name);
        metric_units.push_back(column.unit);
    }
    const hid_t root = file.id();
    write_attribute(file, root, "point_columns", names);
    write_attribute(file, root, "point_kinds", kinds);
    write_attribute(file, root, "point_roles", roles);
    write_attribute(file, root, "point_units", units);
    write_attribute(file, root, shown_units_attribute, shown_units);
    write_attribute(file, root, "point_labels", labels);
    write_attribute(file, root, "metric_columns", metrics);
    write_attribute(file, root, "metric_units", metric_units);
}

[[noreturn]] void refuse(const h5::File& file, std::string_view why) {
    throw InputError(fmt::format("'{}' is not a results file of dse: {}", file.path(), why));
}

/// Objects at the root of a file of another program, for its owner to recognize it.
std::string content_of(const h5::File& file) {
    constexpr hsize_t most_named = 6;
    H5G_info_t root{};
    if (H5Gget_info(file.id(), &root) < 0 || root.nlinks == 0) return "it is empty";
    Texts names;
    for (hsize_t i = 0; i < std::min(root.nlinks, most_named); ++i) {
        std::array<char, 40> name{};
        const ssize_t size = H5Lget_name_by_idx(file.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(),
                                                name.size(), H5P_DEFAULT);
        if (size < 0) break;
        names.push_back(fmt::format("'{}{}'", name.data(), size < ssize_t{name.size()} ? "" : "…"));
    }
    return fmt::format("it holds {}{}", fmt::join(names, ", "), root.nlinks > most_named ? ", …" : "");
}

Digest parse_digest(const h5::File& file, const std::string& text) {
    Digest digest;
    if (text.size() != 32) refuse(file, "its digest has not 32 digits");
    const char* const middle = text.data() + 16;
    const char* const end = text.data() + 32;
    const bool good = std::from_chars(text.data(), middle, digest.high, 16).ptr == middle &&
                      std::from_chars(middle, end, digest.low, 16).ptr == end;
    if (!good) refuse(file, "its digest is not hexadecimal");
    return digest;
}

SweepIdentity read_sweep(const h5::File& file) {
    const hid_t root = file.id();
    SweepIdentity sweep;
    sweep.name = read_text(file, root, "sweep_name");
    sweep.yaml = read_text(file, root, "sweep_yaml");
    if (h5::has_attribute(root, settings_attribute))
        sweep.settings = read_texts(file, root, settings_attribute);
    sweep.digest = parse_digest(file, read_text(file, root, "sweep_digest"));
    sweep.seed = read_integer(file, root, "seed");
    sweep.points = read_integer(file, root, "space_points");
    const Texts names = read_texts(file, root, "fact_names");
    const Texts values = read_texts(file, root, "fact_values");
    if (names.size() != values.size()) refuse(file, "facts without values");
    for (std::size_t i = 0; i < names.size(); ++i) sweep.facts.emplace_back(names[i], values[i]);
    const Texts metrics = read_texts(file, root, "metric_columns");
    for (const std::string& text : read_texts(file, root, "objectives")) {
        sweep.objectives.push_back(metrics::parse_objective(text, metrics));
    }
    return sweep;
}

void read_columns(const h5::File& file, ResultSchema& schema) {
    const hid_t root = file.id();
    const Texts names = read_texts(file, root, "point_columns");
    const Texts kinds = read_texts(file, root, "point_kinds");
    const Texts roles = read_texts(file, root, "point_roles");
    const Texts units = read_texts(file, root, "point_units");
    const Texts labels = read_texts(file, root, "point_labels");
    const bool has_shown = h5::has_attribute(root, shown_units_attribute);
    const Texts shown_units = has_shown ? read_texts(file, root, shown_units_attribute) : Texts(names.size());
    const Texts metrics = read_texts(file, root, "metric_columns");
    const Texts metric_units = read_texts(file, root, "metric_units");
    const std::size_t n = names.size();
    if (kinds.size() != n || roles.size() != n || units.size() != n || labels.size() != n ||
        shown_units.size() != n || metrics.size() != metric_units.size()) {
        refuse(file, "the attributes of its columns differ in length");
    }
    for (std::size_t i = 0; i < n; ++i) {
        schema.points.push_back({names[i], column_kind(kinds[i]), column_role(roles[i]), units[i],
                                 split(labels[i]), shown_units[i]});
    }
    schema.metrics.clear();
    for (std::size_t i = 0; i < metrics.size(); ++i) schema.metrics.push_back({metrics[i], metric_units[i]});
}

std::string read_version(const h5::File& file) {
    std::string version = read_text(file, file.id(), "schema_version");
    if (!is_readable(version)) {
        throw InputError(fmt::format("'{}' has results of schema version {}, this dse reads {}", file.path(),
                                     version, readable_versions()));
    }
    return version;
}

}  // namespace

void write_header(const h5::File& file, const Header& header) {
    const hid_t root = file.id();
    write_attribute(file, root, "kind", results_kind);
    write_attribute(file, root, "schema_version", schema_version);
    write_attribute(file, root, "dse_version", header.provenance.dse_version);
    write_attribute(file, root, "git_hash", header.provenance.git_hash);
    write_attribute(file, root, "host", header.provenance.host);
    write_attribute(file, root, "start", header.provenance.start);
    write_sweep(file, header.schema.sweep);
    write_columns(file, header.schema);
    if (header.unsealed) write_attribute(file, root, unsealed_attribute, std::uint64_t{1});
}

void require_kind(const h5::File& file) {
    if (!h5::has_attribute(file.id(), "kind")) {
        // Another program may have dropped it from a file of dse, whose rows --unsealed shall read.
        if (h5::has_link(file, "points") && h5::has_attribute(file.id(), "schema_version")) return;
        refuse(file, content_of(file));
    }
    const std::string kind = read_text(file, file.id(), "kind");
    if (kind != results_kind) {
        constexpr std::size_t most_shown = 60;
        refuse(file, fmt::format("it calls itself '{}', not '{}'", kind.substr(0, most_shown), results_kind));
    }
}

Header read_header(const h5::File& file) {
    const hid_t root = file.id();
    require_kind(file);
    Header header;
    header.version = read_version(file);
    header.unsealed = h5::has_attribute(root, unsealed_attribute);
    header.provenance = {.dse_version = read_text(file, root, "dse_version"),
                         .git_hash = read_text(file, root, "git_hash"),
                         .host = read_text(file, root, "host"),
                         .start = read_text(file, root, "start")};
    try {
        header.schema.sweep = read_sweep(file);
        read_columns(file, header.schema);
        validate(header.schema);
    } catch (const InputError& error) {
        const std::string_view why = error.what();
        if (why.find(file.path()) != std::string_view::npos) throw;
        refuse(file, why);
    }
    return header;
}

}  // namespace dse::results
