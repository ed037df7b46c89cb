#pragma once

#include <span>
#include <vector>

#include "dse/frontend/model_file.hpp"
#include "dse/frontend/template/dimensions.hpp"
#include "dse/frontend/template/template_source.hpp"
#include "frontend/template/layer_partition.hpp"

namespace dse::frontend {

/// A line of a model's block list: a block of the template, its count, and the sizes defined by this use.
struct ModelUse {
    const TemplateSource::Block* source{nullptr};
    std::vector<Dimensions::Size> sizes;
    BlockRow row;
    config::Location where;
};

/// Matches the blocks of a model with those of its template; errors are reported to `diagnostics`.
/// \param sample  values of the symbols, shape (slots,)
/// \returns one use per line of the model, in order; contains pointers into `source`
std::vector<ModelUse> read_uses(const ModelFile& file, const TemplateSource& source,
                                const Dimensions& dimensions, std::span<const double> sample,
                                config::Diagnostics& diagnostics);

}  // namespace dse::frontend
