#include "app/kernel_file.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/library.hpp"
#include "dse/config/source_text.hpp"
#include "dse/model/compute/learned/release_order.hpp"

namespace dse::app {
namespace {

using model::Kernel;
using model::KernelKind;

constexpr std::string_view elementwise = "elementwise";

/// A size of a kernel, with its least value.
struct Size {
    std::string_view column;
    double Kernel::*target;
    double least{1.0};
};

/// A column of measured times, and its unit [s].
struct TimeColumn {
    std::string_view name;
    double unit;
};

constexpr std::array time_columns{TimeColumn{"seconds", 1.0}, TimeColumn{"milliseconds", 1e-3},
                                  TimeColumn{"microseconds", 1e-6}};

constexpr std::array product_sizes{Size{"m", &Kernel::m}, Size{"n", &Kernel::n}, Size{"k", &Kernel::k}};
constexpr std::array attention_sizes{Size{"batch", &Kernel::batch},       Size{"heads", &Kernel::heads},
                                     Size{"kv_heads", &Kernel::kv_heads}, Size{"head_dim", &Kernel::head_dim},
                                     Size{"queries", &Kernel::queries},   Size{"keys", &Kernel::keys}};
constexpr std::array latent_sizes{Size{"batch", &Kernel::batch}, Size{"heads", &Kernel::heads},
                                  Size{"queries", &Kernel::queries}, Size{"keys", &Kernel::keys}};
constexpr std::array expert_sizes{Size{"tokens", &Kernel::tokens},
                                  Size{"hidden", &Kernel::hidden},
                                  Size{"inner", &Kernel::inner},
                                  Size{"choices", &Kernel::choices},
                                  Size{"experts", &Kernel::experts},
                                  Size{"tensor_ranks", &Kernel::tensor_ranks},
                                  Size{"expert_ranks", &Kernel::expert_ranks}};

std::span<const Size> sizes_of(KernelKind kind) {
    switch (kind) {
        case KernelKind::gemm:
            return product_sizes;
        case KernelKind::prefill:
        case KernelKind::decode:
            return attention_sizes;
        case KernelKind::experts:
            return expert_sizes;
        default:
            return latent_sizes;
    }
}

/// All columns that some kind of kernel reads.
std::vector<std::string> known_columns() {
    std::vector<std::string> all{"operator", "library",  "release",  "format", "precision",
                                 "window",   "cache",    "load",     "gated",  "low_latency",
                                 "shape",    "operands", "function", "watts"};
    for (const TimeColumn& column : time_columns) all.emplace_back(column.name);
    for (const std::span<const Size> sizes :
         {std::span<const Size>{product_sizes}, std::span<const Size>{attention_sizes},
          std::span<const Size>{latent_sizes}, std::span<const Size>{expert_sizes}}) {
        for (const Size& size : sizes) all.emplace_back(size.column);
    }
    return all;
}

constexpr double largest_number = 1e15;

std::optional<double> number_of(std::string_view text) {
    double value = 0.0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size() || !(value >= 0.0) ||
        value > largest_number)
        return std::nullopt;
    return value;
}

/// Reads records one by one, with the columns of a heading.
class Reader {
  public:
    Reader(const std::string& file, std::vector<std::string> columns, config::Diagnostics& diagnostics)
        : file_{std::make_shared<const std::string>(file)},
          columns_{std::move(columns)},
          diagnostics_{diagnostics} {}

    std::optional<KernelRow> row(const config::CsvRecord& record) {
        record_ = &record.fields;
        line_ = record.line;
        const std::size_t before = diagnostics_.error_count();
        if (record.fields.size() > columns_.size())
            error("", fmt::format("{} fields under {} columns (text with a comma needs quotes)",
                                  record.fields.size(), columns_.size()));
        KernelRow row;
        row.line = record.line;
        row.operator_name = field("operator");
        if (row.operator_name == elementwise) {
            row.kernel = vector_kernel();
        } else {
            row.kernel = kernel();
        }
        row.seconds = seconds();
        row.watts = number("watts", 0.0, 0.0);
        return diagnostics_.error_count() == before ? std::optional{row} : std::nullopt;
    }

  private:
    Kernel kernel() {
        Kernel kernel;
        const std::size_t before = diagnostics_.error_count();
        choose("operator", kernel.kind, true, {std::string{elementwise}});
        if (diagnostics_.error_count() > before) return kernel;
        choose("library", kernel.library);
        kernel.release = field("release");
        expect(kernel.release.empty() || model::is_release(kernel.release), "release",
               fmt::format("'{}' is no release (write it as 0.24.0 or 1.3.0rc20)",
                           config::excerpt(kernel.release)));
        kernel.format = format();
        for (const Size& size : sizes_of(kernel.kind))
            kernel.*size.target = required(size.column, size.least);
        kernel.window = number("window", 0.0, 0.0);
        kernel.narrow_cache = is_one("cache", {"fp8"}, {"", "bf16", "fp16"});
        choose("load", kernel.load);
        kernel.gated = !is_one("gated", {"no"}, {"", "yes"});
        kernel.low_latency = is_one("low_latency", {"yes"}, {"", "no"});
        if (kernel.kind == KernelKind::decode || kernel.kind == KernelKind::prefill)
            expect(kernel.kv_heads <= kernel.heads, "kv_heads", "more than heads");
        if (sizes_of(kernel.kind).data() != product_sizes.data() && kernel.kind != KernelKind::experts)
            expect(kernel.queries <= kernel.keys, "keys", "fewer than queries (keys count the new tokens)");
        if (kernel.kind == KernelKind::experts) {
            expect(kernel.choices <= kernel.experts, "choices", "more than experts");
            expect(kernel.expert_ranks <= kernel.experts, "expert_ranks", "more than experts");
        }
        return kernel;
    }

    /// The measured time of a row, in whatever unit; 0: none.
    double seconds() {
        double time = 0.0;
        std::string_view stated;
        for (const TimeColumn& column : time_columns) {
            if (field(column.name).empty()) continue;
            expect(stated.empty(), column.name, fmt::format("{} is stated, too", stated));
            stated = column.name;
            time = number(column.name, 0.0, 0.0) * column.unit;
        }
        return time;
    }

    /// Format of the operands: column `format`, or `precision`, as hardware/tables and dse fit call it. Both
    /// formats of 16 bits have the same kernels.
    model::OperandFormat format() {
        const std::string_view column = field("format").empty() ? "precision" : "format";
        const std::string text = field(column);
        expect(column == "precision" || field("precision").empty() || field("precision") == text, "precision",
               fmt::format("'{}', but format is '{}' (one of the two columns is enough)",
                           config::excerpt(field("precision")), config::excerpt(text)));
        model::OperandFormat format{};
        if (text != "fp16") choose(column, format, false, {"fp16"});
        return format;
    }

    VectorKernel vector_kernel() {
        VectorKernel kernel;
        const std::string shape = field("shape");
        std::string_view text = shape;
        while (true) {
            const std::size_t cross = std::min(text.find('x'), text.size());
            const auto size = number_of(text.substr(0, cross));
            if (!size || *size < 1.0) {
                error("shape",
                      fmt::format("'{}' is not a shape (write it as 16x32x8)", config::excerpt(shape)));
                return kernel;
            }
            kernel.shape.push_back(*size);
            if (cross == text.size()) break;
            text.remove_prefix(cross + 1);
        }
        kernel.operands = number("operands", 1.0, 1.0);
        if (field("function") == "sigmoid") kernel.division = model::Division::of_result;
        return kernel;
    }

    /// Whether a field is one of `these`. An error if it is not one of the others either: it would be
    /// ignored.
    bool is_one(std::string_view column, const std::vector<std::string>& these,
                const std::vector<std::string>& others) {
        const std::string text = field(column);
        if (std::ranges::find(these, text) != these.end()) return true;
        if (std::ranges::find(others, text) != others.end()) return false;
        std::vector<std::string> known = these;
        std::ranges::remove_copy(others, std::back_inserter(known), "");
        error(column,
              fmt::format("unknown {} '{}'{}", column, config::excerpt(text), suggestion(text, known)));
        return false;
    }

    std::string field(std::string_view name) const {
        const auto found = std::ranges::find(columns_, name);
        // read_kernels lets no other rows than those of products go without.
        if (name == "operator" && found == columns_.end()) return "gemm";
        const auto at = static_cast<std::size_t>(found - columns_.begin());
        return at < record_->size() && found != columns_.end() ? (*record_)[at] : std::string{};
    }

    double required(std::string_view column, double least) {
        if (field(column).empty()) {
            const bool is_column = std::ranges::find(columns_, column) != columns_.end();
            error(column, fmt::format("missing (a {} has it){}", field("operator"),
                                      is_column ? std::string{} : suggestion(std::string{column}, columns_)));
            return least;
        }
        return number(column, least, least);
    }

    double number(std::string_view column, double least, double otherwise) {
        const std::string text = field(column);
        if (text.empty()) return otherwise;
        const auto value = number_of(text);
        if (value && *value >= least) return *value;
        error(column, fmt::format("'{}' is not a number between {} and {:g}", config::excerpt(text), least,
                                  largest_number));
        return otherwise;
    }

    template <class Choice>
    void choose(std::string_view column, Choice& target, bool needed = false,
                const std::vector<std::string>& others = {}) {
        const std::string text = field(column);
        if (text.empty() && !needed) return;
        const auto names = model::choice_names(Choice{});
        const auto found = std::ranges::find(names, text);
        if (found != names.end()) {
            target = static_cast<Choice>(found - names.begin());
            return;
        }
        std::vector<std::string> known{names.begin(), names.end()};
        known.insert(known.end(), others.begin(), others.end());
        error(column,
              fmt::format("unknown {} '{}'{}", column, config::excerpt(text), suggestion(text, known)));
    }

    void expect(bool holds, std::string_view column, std::string reason) {
        if (!holds) error(column, std::move(reason));
    }

    void error(std::string_view column, std::string message) {
        diagnostics_.error(config::Location{file_, line_, 1}, column, std::move(message));
    }

    std::shared_ptr<const std::string> file_;
    std::vector<std::string> columns_;
    config::Diagnostics& diagnostics_;
    const std::vector<std::string>* record_{nullptr};
    int line_{0};
};

}  // namespace

std::vector<KernelRow> read_kernels(const std::string& file, config::Diagnostics& diagnostics) {
    const auto records = config::read_csv(file);
    std::vector<KernelRow> rows;
    const auto place = [&] { return config::Location{std::make_shared<const std::string>(file), 1, 1}; };
    if (records.empty()) {
        diagnostics.error(place(), "", "is empty");
        return rows;
    }
    const std::vector<std::string>& columns = records.front().fields;
    const auto has = [&](std::string_view name) { return std::ranges::find(columns, name) != columns.end(); };
    const auto is_size = [&](const Size& size) { return has(size.column); };
    if (!has("operator") && !std::ranges::all_of(product_sizes, is_size)) {
        diagnostics.error(place(), "operator",
                          fmt::format("no column of this name{}", suggestion("operator", columns)));
        return rows;
    }
    const std::vector<std::string> known = known_columns();
    for (const std::string& column : columns) {
        if (std::ranges::find(known, column) != known.end()) continue;
        const auto meant = nearest(column, known);
        diagnostics.warning(place(), config::excerpt(column),
                            meant ? fmt::format("a column that is not read (did you mean '{}'?)", *meant)
                                  : "a column that is not read");
    }
    Reader reader{file, columns, diagnostics};
    for (std::size_t i = 1; i < records.size(); ++i) {
        if (auto row = reader.row(records[i])) rows.push_back(std::move(*row));
    }
    return rows;
}

}  // namespace dse::app
