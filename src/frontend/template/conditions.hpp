#pragma once

#include <string>

#include "dse/config/diagnostics.hpp"
#include "dse/frontend/template/block.hpp"
#include "dse/symbolic/symbol_table.hpp"

namespace dse::frontend {

/// The conditions (`when`, `if`) of a template, which name what is chosen for a model as a whole:
/// `sequence_parallel`, `attention` (a kernel), `mode`.
class Conditions {
  public:
    /// \param diagnostics  must outlive this object
    Conditions(const TemplateOptions& options, config::Diagnostics& diagnostics);

    /// An empty condition holds; one that cannot be evaluated is reported and does not.
    [[nodiscard]] bool holds(const std::string& condition, const config::Location& where) const;

  private:
    symbolic::SymbolTable symbols_;
    config::Diagnostics& diagnostics_;
};

}  // namespace dse::frontend
