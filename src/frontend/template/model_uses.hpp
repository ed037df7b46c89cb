#pragma once

#include <span>
#include <vector>

#include "dse/frontend/model_file.hpp"
#include "dse/frontend/template/dimensions.hpp"
#include "dse/frontend/template/template_source.hpp"
#include "frontend/template/layer_partition.hpp"

namespace dse::frontend {

/// A line of a model's blocks: a block of the template, how often it stands, and the sizes that this use of
/// it supplies.
struct ModelUse {
    const TemplateSource::Block* source{nullptr};
    std::vector<Dimensions::Size> sizes;
    BlockRow row;
    config::Location where;
};

/// Fits the blocks of a model to those of its template; what is wrong goes to `diagnostics`.
/// \param sample  values of the symbols, shape (slots,)
/// \returns one a line of the model, in order; pointers into `source`
std::vector<ModelUse> read_uses(const ModelFile& file, const TemplateSource& source,
                                const Dimensions& dimensions, std::span<const double> sample,
                                config::Diagnostics& diagnostics);

}  // namespace dse::frontend
