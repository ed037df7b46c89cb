#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  util.global private @w = #stream.parameter.named<"m"::"w"> : tensor<4x4xf32>
  func.func @main(%x: !torch.vtensor<[4,?],f32>, %t: tensor<4x4xf32>, %i: index) {
    %0 = torch.aten.tanh %x : !torch.vtensor<[4,?],f32> -> !torch.vtensor<[4,?],f32>
    %1 = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = scf.for %k = %i to %i step %i iter_args(%acc = %1) -> (tensor<4x4xf32>) {
      %3 = tensor.extract %acc[%k, %k] : tensor<4x4xf32>
      scf.yield %acc : tensor<4x4xf32>
    }
    %4 = stablehlo.convert %t : (tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<i8:f32, 2.0:15>>
    %5 = stablehlo.constant dense_resource<__elided__> : tensor<4x?xf32, #stablehlo.bounds<?, 8>>
    return
  }
}
