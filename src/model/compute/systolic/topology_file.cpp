#include "dse/model/compute/systolic/topology_file.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/field.hpp"

namespace dse::model {
namespace {

using config::Diagnostics;
using config::Location;

class TopologyReader {
  public:
    TopologyReader(const std::string& file, TopologyInput input, Diagnostics& diagnostics)
        : file_{std::make_shared<const std::string>(file)}, input_{input}, diagnostics_{diagnostics} {}

    void line(std::string_view text, int line) {
        line_ = line;
        fields_ = fields_of(text);
        if (fields_.empty()) return;
        if (is_heading()) {
            diagnostics_.warning(place(), fields_[0], "skipped: a name without sizes (SCALE-Sim stops here)");
            return;
        }
        if (input_ == TopologyInput::gemm) {
            product();
        } else {
            convolution();
        }
    }

    std::vector<SystolicLayer> layers;

  private:
    std::vector<std::string> fields_of(std::string_view text) {
        try {
            auto records = config::parse_csv(text, *file_);
            if (records.empty()) return {};
            std::vector<std::string> fields = std::move(records.front().fields);
            // After the last comma comes nothing, or a note that SCALE-Sim ignores.
            if (fields.size() > 1 && (fields.back().empty() || fields.back().front() == '#'))
                fields.pop_back();
            // Spreadsheets write empty rows as commas.
            const bool is_blank = std::ranges::all_of(fields, &std::string::empty);
            return is_blank ? std::vector<std::string>{} : fields;
        } catch (const InputError& fault) {
            error("", fault.what());
            return {};
        }
    }

    /// The name of a group of layers, alone in its row.
    [[nodiscard]] bool is_heading() const {
        return std::all_of(fields_.begin() + 1, fields_.end(),
                           [](const std::string& field) { return field.empty(); });
    }

    void product() {
        if (!has_columns(4)) return;
        const auto m = size(1, "M");
        const auto n = size(2, "N");
        const auto k = size(3, "K");
        if (m && n && k) layers.push_back(product_layer(fields_[0], *m, *n, *k));
    }

    void convolution() {
        if (!has_columns(8)) return;
        SystolicLayer layer;
        layer.name = fields_[0];
        const std::array are_read{
            read(layer.ifmap_height, 1, "IFMAP height"),
            read(layer.ifmap_width, 2, "IFMAP width"),
            read(layer.filter_height, 3, "filter height"),
            read(layer.filter_width, 4, "filter width"),
            read(layer.channels, 5, "channels"),
            read(layer.filters, 6, "filters"),
            read(layer.stride, 7, "stride")};  // no short circuit: all errors are reported
        if (std::find(are_read.begin(), are_read.end(), false) != are_read.end()) return;
        if (layer.filter_height > layer.ifmap_height || layer.filter_width > layer.ifmap_width)
            return error(layer.name, "the filter is larger than the input");
        add(std::move(layer));
    }

    void add(SystolicLayer layer) {
        const bool is_depthwise = layer.name.find("DP") != std::string::npos;
        if (!is_depthwise) {
            layers.push_back(std::move(layer));
            return;
        }
        constexpr double most_channels = 1e6;
        if (layer.channels > most_channels)
            return error(layer.name, "more channels than a depthwise layer can be written out in");
        const auto channels = static_cast<std::int64_t>(layer.channels);
        const std::string name = layer.name;
        layer.channels = 1;
        for (std::int64_t channel = 0; channel < channels; ++channel) {
            layer.name = fmt::format("{}Channel_{}", name, channel);
            layers.push_back(layer);
        }
    }

    /// \param count  columns including the name; an additional one is the sparsity
    bool has_columns(std::size_t count) {
        if (fields_.size() < count || fields_.size() > count + 1) {
            error(fields_[0], fmt::format("{} columns stand where {} are needed (or {}, with a sparsity N:M)",
                                          fields_.size(), count, count + 1));
            return false;
        }
        return fields_.size() == count || is_ratio(fields_.back());
    }

    bool is_ratio(const std::string& text) {
        const std::size_t colon = text.find(':');
        const auto is_number = [](std::string_view part) {
            return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
        };
        const bool holds = colon != std::string::npos && is_number(std::string_view{text}.substr(0, colon)) &&
                           is_number(std::string_view{text}.substr(colon + 1));
        if (!holds) error(fields_[0], fmt::format("'{}' is not a sparsity N:M", text));
        return holds;
    }

    bool read(double& target, std::size_t column, const char* what) {
        const auto value = size(column, what);
        if (value) target = *value;
        return value.has_value();
    }

    /// Reads a whole number of at least 1.
    std::optional<double> size(std::size_t column, const char* what) {
        constexpr double most = 1e9;
        const std::string path = fmt::format("{}: {}", fields_[0], what);
        const auto info = config::detail::info_of<std::int64_t>(path, "");
        const auto node = config::Node::scalar(fields_[column], path, config::to_string(place()));
        auto value = config::parse_value(node, info, diagnostics_);
        if (value && (*value < 1.0 || *value > most)) {
            error(path, fmt::format("{} is not a size from 1 to {}", *value, most));
            value.reset();
        }
        return value;
    }

    [[nodiscard]] Location place() const { return {file_, line_, 1}; }
    void error(const std::string& path, std::string message) {
        diagnostics_.error(place(), path, std::move(message));
    }

    std::shared_ptr<const std::string> file_;
    TopologyInput input_;
    Diagnostics& diagnostics_;
    int line_{0};
    std::vector<std::string> fields_;
};

}  // namespace

std::vector<SystolicLayer> read_topology_file(const std::string& file, TopologyInput input,
                                              Diagnostics& diagnostics) {
    const std::string text = config::read_text(file);
    TopologyReader reader{file, input, diagnostics};
    std::string_view rest{text};
    for (int line = 1; !rest.empty(); ++line) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (line > 1) reader.line(rest.substr(0, end), line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::move(reader.layers);
}

}  // namespace dse::model
