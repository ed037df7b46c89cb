#include "dse/model/compute/systolic/architecture_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "dse/base/lower_case.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/field.hpp"
#include "dse/config/ini.hpp"

namespace dse::model {
namespace {

using config::Diagnostics;
using config::IniEntry;
using config::IniSection;

constexpr double infinite = std::numeric_limits<double>::infinity();
// Upper bound on the side of an array: thousands of times what has been built.
constexpr double most_elements = 1 << 20;

/// Reads one section key by key; finish() warns about the keys that were not read.
class SectionReader {
  public:
    SectionReader(const config::IniFile& file, const config::Location& where, const char* name,
                  Diagnostics& diagnostics)
        : section_{file.find(name)}, name_{name}, diagnostics_{diagnostics} {
        if (section_ == nullptr) diagnostics_.error(where, name, "no such section (SCALE-Sim needs it)");
    }
    /// A section that files of SCALE-Sim 2 do not have.
    SectionReader(const config::IniFile& file, const char* name, Diagnostics& diagnostics)
        : section_{file.find(name)}, name_{name}, diagnostics_{diagnostics} {}

    std::string text(const char* key) {
        const IniEntry* entry = take(key);
        return entry != nullptr ? entry->value : "";
    }

    /// Reads a whole number.
    /// \param least, most  smallest and largest valid values
    double number(const char* key, double least, double most = infinite) {
        const IniEntry* entry = take(key);
        const double value = entry != nullptr ? number(*entry, entry->value, least) : least;
        if (value > most) error(*entry, fmt::format("must be at most {:.0f}", most));
        return std::min(value, most);
    }

    /// Reads the first of a list of whole numbers.
    double first_number(const char* key, double least) {
        const IniEntry* entry = take(key);
        if (entry == nullptr) return least;
        const std::string first = entry->value.substr(0, entry->value.find(','));
        return number(*entry, first, least);
    }

    template <class Value, std::size_t size>
    Value choice(const char* key, const std::array<std::pair<const char*, Value>, size>& known) {
        const IniEntry* entry = take(key);
        if (entry == nullptr) return known.front().second;
        std::vector<std::string> names;
        for (const auto& [name, value] : known) {
            if (entry->value == name) return value;
            names.emplace_back(name);
        }
        error(*entry, fmt::format("unknown value '{}'{}", entry->value, suggestion(entry->value, names)));
        return known.front().second;
    }

    /// Whether the value is "true", "yes", "on" or "1", ignoring case.
    bool is_on(const char* key) {
        const std::string value = lower_case(text(key));
        return value == "true" || value == "yes" || value == "on" || value == "1";
    }

    void refuse_if_on(const char* key, const char* why) {
        if (is_on(key)) error(key, why);
    }

    [[nodiscard]] bool states(const char* key) const {
        return section_ != nullptr && section_->find(lower_case(key)) != nullptr;
    }

    [[nodiscard]] bool exists() const { return section_ != nullptr; }

    /// Keys that SCALE-Sim requires, but that have no effect here.
    void skip(std::initializer_list<const char*> keys) {
        for (const char* key : keys) take(key);
    }
    /// Keys that are valid, but not required.
    void allow(std::initializer_list<const char*> keys) {
        for (const char* key : keys) known_.insert(lower_case(key));
    }

    void finish() {
        if (section_ == nullptr) return;
        const std::vector<std::string> known{known_.begin(), known_.end()};
        for (const IniEntry& entry : section_->entries) {
            if (known_.contains(entry.key)) continue;
            const auto near = nearest(entry.key, known);
            diagnostics_.warning(entry.where, path(entry.key),
                                 fmt::format("SCALE-Sim does not read this key{}",
                                             near ? fmt::format(" (did you mean '{}'?)", *near) : ""));
        }
    }

    /// Reports an error at the key; a missing key was already reported.
    void error(const char* key, std::string message) {
        const IniEntry* entry = section_ != nullptr ? section_->find(lower_case(key)) : nullptr;
        if (entry != nullptr) error(*entry, std::move(message));
    }

  private:
    const IniEntry* take(const char* key) {
        known_.insert(lower_case(key));
        if (section_ == nullptr) return nullptr;
        const IniEntry* entry = section_->find(lower_case(key));
        if (entry == nullptr)
            diagnostics_.error(section_->where, path(key), "missing (SCALE-Sim has no default for it)");
        return entry;
    }

    void error(const IniEntry& entry, std::string message) {
        diagnostics_.error(entry.where, path(entry.key), std::move(message));
    }

    double number(const IniEntry& entry, const std::string& text, double least) {
        const std::string where = config::to_string(entry.where);
        const auto info = config::detail::info_of<std::int64_t>(path(entry.key), "");
        const auto value =
            config::parse_value(config::Node::scalar(text, path(entry.key), where), info, diagnostics_);
        if (!value) return least;
        if (*value < least) error(entry, fmt::format("must be at least {}", least));
        return std::max(*value, least);
    }

    [[nodiscard]] std::string path(const std::string& key) const { return fmt::format("{}.{}", name_, key); }

    const IniSection* section_;
    std::string name_;
    Diagnostics& diagnostics_;
    std::set<std::string> known_;
};

/// A buffer of `kilobytes`, in words of one byte.
OperandBuffer buffer(double kilobytes) {
    return {1024.0 * kilobytes, infinite};
}

void read_layout(SectionReader& layout, ScaleSimArchitecture& result) {
    const bool has_layout = result.interface == InterfaceBandwidth::user;
    constexpr const char* why = "bank conflicts of custom layouts are not modelled";
    if (has_layout) {
        layout.refuse_if_on("IfmapCustomLayout", why);
        layout.refuse_if_on("FilterCustomLayout", why);
    } else {
        layout.skip({"IfmapCustomLayout", "FilterCustomLayout"});
    }
    layout.skip({"IfmapSRAMBankPort", "FilterSRAMBankPort"});
    const double ifmap = layout.number("IfmapSRAMBankBandwidth", 1.0);
    const double ifmap_banks = layout.number("IfmapSRAMBankNum", 1.0);
    const double filter = layout.number("FilterSRAMBankBandwidth", 1.0);
    const double filter_banks = layout.number("FilterSRAMBankNum", 1.0);
    if (!has_layout) return;
    result.buffers.ifmap.bandwidth = ifmap;
    result.buffers.filter.bandwidth = filter;
    constexpr const char* uneven = "is not divisible by the number of its banks (SCALE-Sim stops here)";
    if (std::fmod(ifmap, ifmap_banks) != 0.0) layout.error("IfmapSRAMBankBandwidth", uneven);
    if (std::fmod(filter, filter_banks) != 0.0) layout.error("FilterSRAMBankBandwidth", uneven);
}

void read_array(SectionReader& section, ScaleSimArchitecture& result) {
    using hardware::Dataflow;
    static constexpr std::array<std::pair<const char*, Dataflow>, 3> dataflows{
        {{"ws", Dataflow::ws}, {"os", Dataflow::os}, {"is", Dataflow::is}}};
    result.array.rows = section.number("ArrayHeight", 1.0, most_elements);
    result.array.columns = section.number("ArrayWidth", 1.0, most_elements);
    result.array.dataflow = section.choice("Dataflow", dataflows);
    result.buffers.ifmap = buffer(section.number("IfmapSramSzkB", 1.0));
    result.buffers.filter = buffer(section.number("FilterSramSzkB", 1.0));
    result.buffers.ofmap = buffer(section.number("OfmapSramSzkB", 1.0));
    section.skip({"IfmapOffset", "FilterOffset", "OfmapOffset"});
    if (result.interface == InterfaceBandwidth::user) {
        result.buffers.ofmap.bandwidth = section.first_number("Bandwidth", 1.0);
    }
    // Queues of requests are for traces of a memory simulator, which SCALE-Sim 2 did not have.
    section.allow({"Bandwidth", "MemoryBanks", "ReadRequestBuffer", "WriteRequestBuffer"});
}

}  // namespace

ScaleSimArchitecture read_architecture_file(const std::string& file, Diagnostics& diagnostics) {
    const config::IniFile ini = config::parse_ini(config::read_text(file), file, diagnostics);
    const config::Location where{std::make_shared<const std::string>(file), 1, 1};
    ScaleSimArchitecture result;

    SectionReader general{ini, where, "general", diagnostics};
    result.run_name = general.text("run_name");
    general.finish();

    SectionReader run{ini, where, "run_presets", diagnostics};
    static constexpr std::array<std::pair<const char*, InterfaceBandwidth>, 2> modes{
        {{"CALC", InterfaceBandwidth::calc}, {"USER", InterfaceBandwidth::user}}};
    result.interface = run.choice("InterfaceBandwidth", modes);
    if (run.states("UseRamulatorTrace"))
        run.refuse_if_on("UseRamulatorTrace", "traces of a memory simulator are not played");
    run.finish();

    SectionReader array{ini, where, "architecture_presets", diagnostics};
    read_array(array, result);
    array.finish();

    SectionReader layout{ini, "layout", diagnostics};
    if (layout.exists()) {
        read_layout(layout, result);
        layout.finish();
    } else if (result.interface == InterfaceBandwidth::user) {
        // SCALE-Sim 2 has one bandwidth for all three buffers.
        result.buffers.ifmap.bandwidth = result.buffers.ofmap.bandwidth;
        result.buffers.filter.bandwidth = result.buffers.ofmap.bandwidth;
    }

    SectionReader sparsity{ini, "sparsity", diagnostics};
    if (sparsity.exists()) {
        sparsity.refuse_if_on("SparsitySupport", "sparse filters are not modelled");
        sparsity.allow({"SparseRep", "OptimizedMapping", "BlockSize", "RandomNumberGeneratorSeed"});
        sparsity.finish();
    }
    if (!layout.exists() || !sparsity.exists())
        diagnostics.warning(where, layout.exists() ? "sparsity" : "layout",
                            "no such section: read like a file of SCALE-Sim 2 (SCALE-Sim 3 needs it)");
    return result;
}

}  // namespace dse::model
