#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::fx {

/// What a name of a graph is bound to.
struct Binding {
    enum class Kind : std::uint8_t {
        nothing,
        literal,  ///< a number, a text, or a list of these
        value,
        attribute  ///< of the module: a constant tensor, or a nested graph
    };
    Kind kind{Kind::nothing};
    ValueId value{};
    std::string_view attribute{};  ///< its name: "true_graph_0" for `self.true_graph_0`
    TypeId type{};                 ///< of an attribute, as stated in the text
};

/// The names of one graph at a time.
class Scope {
  public:
    explicit Scope(NameTable& names) : names_{names} {}

    /// Forgets all names.
    void open() {
        for (const std::uint32_t name : bound_) bindings_[name] = {};
        bound_.clear();
    }
    void bind(std::string_view name, const Binding& binding) {
        const std::uint32_t number = place_of(name);
        if (bindings_[number].kind == Binding::Kind::nothing) bound_.push_back(number);
        bindings_[number] = binding;
    }
    [[nodiscard]] const Binding& operator[](std::string_view name) { return bindings_[place_of(name)]; }

  private:
    std::uint32_t place_of(std::string_view name) {
        const std::uint32_t number = names_.add(name);
        if (number >= bindings_.size()) bindings_.resize(number + 1 + bindings_.size() / 2);
        return number;
    }

    NameTable& names_;
    std::vector<Binding> bindings_;  ///< by the name's number
    std::vector<std::uint32_t> bound_;
};

}  // namespace dse::ir::fx
