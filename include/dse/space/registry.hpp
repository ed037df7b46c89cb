#pragma once

#include <memory>

#include "dse/base/factory_table.hpp"
#include "dse/space/sampler.hpp"

namespace dse::space {

using SamplerFactory = std::unique_ptr<Sampler> (*)(std::shared_ptr<const Space>);

/// Every sampler that `search.method` can name.
const FactoryTable<SamplerFactory>& samplers();

}  // namespace dse::space
