#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "dse/frontend/template/tensor.hpp"
#include "dse/graph/buffer.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/graph/work.hpp"

/// Formulas that compute the numbers of a graph from those of a point. The structure is compiled once; each
/// point evaluates the formulas without allocating memory.
namespace dse::frontend {

using ExtentId = Id<struct ExtentTag>;
using ProductId = Id<struct ProductTag>;

/// A dimension's size on one device: divided by the axes that split it.
struct Extent {
    DimId dim;
    graph::AxisSet split;
    friend bool operator==(const Extent&, const Extent&) = default;
};

/// A product of extents, from left to right: all but its last factor, and that factor.
struct Product {
    ProductId rest;
    ExtentId last;
    friend bool operator==(const Product&, const Product&) = default;
};

/// The distinct extents of a structure, and their distinct products. Most tensors of a model have one of few
/// shapes, so that a point evaluates each product once.
class Extents {
  public:
    /// The number of an extent; equal extents have the same one.
    ExtentId intern(Extent extent);
    /// By ExtentId.
    [[nodiscard]] const std::vector<Extent>& all() const { return extents_; }

    /// The product without factors: 1.
    static constexpr ProductId one{};
    /// \param rest  a product of these extents
    ProductId times(ProductId rest, ExtentId last);
    ProductId times(ProductId rest, Extent last) { return times(rest, intern(last)); }
    /// By ProductId; each follows those that it contains. The first is `one`, whose fields have no meaning.
    [[nodiscard]] const std::vector<Product>& products() const { return products_; }

  private:
    std::vector<Extent> extents_;
    std::vector<Product> products_{Product{}};
};

/// A number of bytes: a sum of products of extents, each with a storage. Consecutive terms that are divided
/// among the same devices are summed before they are divided and rounded up.
struct Amount {
    struct Term {
        ProductId elements;                    ///< their number on one device
        Storage storage{Storage::activation};  ///< bytes per element: Numbers::bytes
        double factor{1.0};                    ///< copies, or passes over memory
        graph::AxisSet shared;                 ///< axes over whose devices the term is divided
        /// Dimension of experts; only experts chosen by some token of the pass are counted.
        std::optional<DimId> touched{};
    };
    std::vector<Term> terms;

    void append(const Amount& other) { terms.insert(terms.end(), other.terms.begin(), other.terms.end()); }
    void scale(double by) {
        for (Term& term : terms) term.factor *= by;
    }
};

/// Formula of a graph::Compute.
struct ComputeFormula {
    graph::OpClass op_class{graph::OpClass::elementwise};
    // batch · (m × k)(k × n), on one device. Kernels that are no matrix products have FLOPs in terms of them,
    // too.
    ProductId batch;
    ProductId m;
    ProductId n;
    ProductId k;
    double more_rows{0.0};        ///< executed beyond m, in each product of the batch
    double few_rows{0.0};         ///< extent of m up to which there are none
    bool is_gemm{false};          ///< whether it runs on the matrix units, with this shape
    double model_factor{0.0};     ///< model FLOPs in units of 2 · batch · m · n · k
    double executed_factor{0.0};  ///< executed FLOPs, likewise
    /// Axes whose devices all repeat the same work: each of them is credited with a share of the model FLOPs.
    graph::AxisSet repeated;
    double efficiency{1.0};  ///< graph::Compute::efficiency, in (0, 1]
    double ramp{0.0};        ///< extent of n with which the efficiency is halved
    double narrow{1.0};      ///< factor of the efficiency for each time that an extent of k halves 128
    Amount read;             ///< from device memory, each operand once
    Amount written;          ///< to device memory
    Amount lane_cycles;      ///< graph::Compute::lane_cycles
    double kernels{1.0};     ///< number of device kernels, before `times`
    /// Extent by which the number of kernels is multiplied: the experts of a device.
    std::optional<ExtentId> times{};
    /// Whether a matrix product or attention runs in the precision of activations, whatever others run in.
    bool wide{false};
    bool of_experts{false};  ///< graph::Compute::of_experts
};

/// Part of data parallelism's communication in a pipeline: the share hidden by computation, or the exposed
/// share, which comes after the stage's last task or before its first one.
enum class Exposure : std::uint8_t { whole, hidden, exposed };

/// Formula of a graph::Collective.
struct CollectiveFormula {
    graph::CollectiveKind kind{graph::CollectiveKind::all_reduce};
    graph::AxisSet axes;  ///< that the group extends over
    Amount size;          ///< of the full buffer, as graph::Collective defines it
    graph::Members members{graph::Members::all};
    std::optional<ExtentId> choices{};  ///< graph::Dispatch::choices
    Exposure part{Exposure::whole};
    bool blocks{false};              ///< no computation hides any of it, whatever its axes
    BytesPerSecond dispatch_rate{};  ///< graph::Dispatch::rate
};

/// Formula of a graph::Transfer, a message between pipeline stages.
struct TransferFormula {
    Amount size;
};

/// Formula of a graph::Copy to or from the host's memory.
struct CopyFormula {
    Amount size;
    graph::CopyDirection direction{graph::CopyDirection::to_host};
};

/// Formula of a graph::HostUpdate, an optimizer step on the host.
struct HostUpdateFormula {
    Amount read;     ///< from the host's memory
    Amount written;  ///< to the host's memory
};

/// Formula of a graph::Launch.
struct LaunchFormula {
    double kernels{0.0};    ///< that the host issues
    double of_expert{0.0};  ///< further ones for each expert of a device
    /// Experts of a device; set if of_expert is not 0.
    std::optional<ExtentId> experts{};
};

using WorkFormula = std::variant<ComputeFormula, CollectiveFormula, TransferFormula, CopyFormula,
                                 HostUpdateFormula, LaunchFormula>;

/// Formula of a graph::Buffer.
struct BufferFormula {
    graph::MemoryKind kind{graph::MemoryKind::activations};
    Amount size;
};

/// The numbers of a point that formulas use.
struct Numbers {
    std::vector<double> extents;        ///< by ExtentId; rows of experts are those of the fullest device
    std::vector<double> means;          ///< by ExtentId, with balanced experts
    std::vector<double> products;       ///< by ProductId, of `extents`
    std::vector<double> mean_products;  ///< by ProductId, of `means`; used for model FLOPs
    std::vector<double> loads;          ///< by DimId: fullest device relative to the mean; empty: all 1
    std::vector<double> touched;   ///< by DimId: times that a kernel reads the weights of a layer's experts
    bool shares_sequences{false};  ///< whether sequences and tokens need not divide evenly (inference)
    double experts_in_turn{0.0};   ///< graph::Dispatch::experts
    std::array<double, storage_count> bytes{};  ///< per element, by Storage
    graph::Mesh mesh;
    graph::Precision gemm_precision{graph::Precision::bf16};        ///< of products, but for wide ones
    graph::Precision activation_precision{graph::Precision::bf16};  ///< of wide products and other kernels
    graph::Precision attention_precision{graph::Precision::bf16};   ///< of fused attention
    // Shares of communication time that no computation hides, in [0, 1].
    double exposed_tp{1.0};
    double exposed_cp{1.0};
    double exposed_ep{1.0};
    /// Share of passes beside which no other microbatch hides experts' communication.
    double unpaired_ep{0.0};
    double exposed_dp{0.0};
    double exposed_pp{0.0};
};

/// Sets Numbers::extents and Numbers::means, and their products.
/// \param dims  extents of the dimensions, by DimId
/// \throws ModelError if a dimension is not an integer, or is not divisible by the degree of the axes that
/// split it; neither is required of rows of experts
void evaluate_extents(const Extents& extents, std::span<const double> dims, const Dimensions& dimensions,
                      Numbers& numbers);

/// \return bytes on one device
double evaluate(const Amount& amount, const Numbers& numbers);

/// \param work  set to the alternative of graph::Work that corresponds to that of the formula
void evaluate(const WorkFormula& formula, const Numbers& numbers, graph::Work& work);

/// Sets Numbers::bytes, the bytes per element of each storage, and the precisions from the software stack.
/// Source: Micikevicius et al. 2018 (arXiv 1710.03740) for master copies; the Transformer Engine's recipes;
/// Dettmers et al. 2023 (arXiv 2305.14314), section 3, for NF4 with quantized scales;
/// OCP Microscaling Formats 1.0 (a one-byte scale per 32 elements); NVFP4 (arXiv 2509.25149: per 16).
void set_precisions(const graph::SoftwareStack& stack, Numbers& numbers);

/// The same for inference, where parameters of matrix products are stored in the precision of the products.
void set_precisions(const graph::SoftwareStack& stack, const graph::Serving& serving, Numbers& numbers);

}  // namespace dse::frontend
