// Completes views with Nextflow (not tested here):
//   nextflow run examples/clusters/main.nf --views "$PWD/rna.npy $PWD/protein.npy" --shards 8
params.shards = 8
include { round as round1; round as round2; round as round3 } from './round.nf'

process plan {
  output: path 'plan'
  script: "mkc plan ${params.views} -o plan"
}
process apply {
  input: tuple val(i), path(plan), path(fit)
  output: path "rows-$i"
  script: "mkc apply $plan --fit $fit --shard $i/${params.shards} -t 1 -o rows-$i"
}
process gather {
  publishDir '.', mode: 'copy'
  input: path plan; path fit; path rows
  output: path 'result'
  script: "mkc gather $plan $rows --fit $fit -o result"
}
workflow {
  plan()
  round1(1, plan.out, [])
  round2(2, plan.out, round1.out)
  round3(3, plan.out, round2.out)
  apply(Channel.of(1..params.shards).combine(plan.out).combine(round3.out))
  gather(plan.out, round3.out, apply.out.collect())
}
