#!/usr/bin/env bash
# Completes views with a SLURM array, SHARDS jobs of one core a round (default 64), in the present folder:
#   examples/clusters/slurm.sh rna.npy protein.npy methyl.h5ad
# Killed jobs may be requeued: every step is repeated whole. Tested with a stand-in for sbatch, not with SLURM itself.
set -euo pipefail
n=${SHARDS:-64} after= fit=
submit() { after=$(sbatch --parsable --requeue ${after:+-d afterok:$after} "$@"); }

submit --wrap "mkc plan $* -o plan"
for round in 1 2 3; do
  submit -c 1 --array=1-$n --wrap "mkc moments plan --round $round $fit --shard \$SLURM_ARRAY_TASK_ID/$n -t 1 --wait 60 -o moments-$round-\$SLURM_ARRAY_TASK_ID.npz"
  submit --wrap "mkc merge plan $(printf "moments-$round-%s.npz " $(seq "$n")) $fit --wait 60 -o fit-$round.npz"
  fit="--fit fit-$round.npz"
done
submit -c 1 --array=1-$n --wrap "mkc apply plan $fit --shard \$SLURM_ARRAY_TASK_ID/$n -t 1 --wait 60 -o rows-\$SLURM_ARRAY_TASK_ID"
submit --wrap "mkc gather plan $(printf "rows-%s " $(seq "$n")) $fit --wait 60 -o result"
