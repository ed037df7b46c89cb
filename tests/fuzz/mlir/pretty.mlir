#loc = loc(unknown)
!t = tensor<4x8xf32>
module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: !t {jax.buffer_donor = true} loc("x"), %w: tensor<8x8xf32>, %n: tensor<i32>) -> (tensor<4x8xf32> {jax.result_info = "y"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<"0x01000000"> : tensor<i32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc(#loc1)
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
    %3:2 = stablehlo.while(%i = %n, %acc = %2) : tensor<i32>, tensor<4x8xf32> attributes {k = 1 : i64}
    cond {
      %6 = stablehlo.compare  LT, %i, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6 = func.call @body(%acc) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %7 = stablehlo.add %i, %c : tensor<i32>
      stablehlo.return %7, %6 : tensor<i32>, tensor<4x8xf32>
    }
    %4 = stablehlo.slice %3#1 [0:4, 0:8:2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.custom_call @Sharding(%3#1) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %p = stablehlo.pad %4, %cst, low = [0, 0], high = [0, 4], interior = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
    return %5 : tensor<4x8xf32>
  }
  func.func private @body(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.composite "chlo.relu" %x {decomposition = @relu} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func private @relu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> { return %x : tensor<4x8xf32> }
}
#loc1 = loc("f.py":3:0)
