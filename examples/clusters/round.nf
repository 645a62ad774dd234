// One round of moments and its fit (not tested here).
process moments {
  input: tuple val(r), val(i), path(plan), path(fit)
  output: path "moments-$r-${i}.npz"
  script: "mkc moments $plan --round $r ${fit ? "--fit $fit" : ''} --shard $i/${params.shards} -t 1 -o moments-$r-${i}.npz"
}
process merge {
  input: val r; path plan; path fit; path parts
  output: path "fit-${r}.npz"
  script: "mkc merge $plan $parts ${fit ? "--fit $fit" : ''} -o fit-${r}.npz"
}
workflow round {
  take: r; plan; fit
  main:
  shards = Channel.of(1..params.shards)
  moments(shards.combine(plan).map { i, p -> [r, i, p] }.combine(r == 1 ? Channel.of([[]]) : fit))
  merge(r, plan, fit, moments.out.collect())
  emit: merge.out
}
