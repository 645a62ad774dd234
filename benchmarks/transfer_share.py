"""What share of the processor's matrix product the rounds of `transfer` reach. Used by table.py."""

from plan import FIXED

LEFT_OUT = 256  # samples on which a round measures errors, at most


def operations(samples, observed):
    """Floating point operations of one view in one round, without those on single entries.

    n^3 / 3 + n^2 t + n t^2 for the partial Cholesky factorisation, n^2 t for W, 2 n^2 t for K_II W, n t^2 for
    the lower triangle of W'K_II W; with s samples left out 2 s^3 / 3 + 2 s^2 (n - s) + s (n - s)^2 for their
    rows of Q, n^2 s for the trace.
    """
    n, t = observed, samples - observed
    s = min(LEFT_OUT, n)
    own = n**3 / 3 + 4 * n**2 * t + 2 * n * t**2
    return own + 2 * s**3 / 3 + 2 * s**2 * (n - s) + s * (n - s) ** 2 + n**2 * s


def transfer_share(bench):
    """Rows of a Bench: two rounds, the difference of three and one, over the product of the same run."""
    n, m = bench.size["share"], 3
    product = max(row["value"] for row in bench.rows if row["what"] == "matrix product")
    on = f"synthetic, N {n}, M {m}, 1 thread"
    runs = {}
    for rounds in (1, 3):
        spec = f"{FIXED['transfer']},tol=0,max_iter={rounds}"
        runs[rounds] = bench.solve(f"synthetic:{n}:{m}", spec, 1, 1 if n > 1000 else 3)
    seconds = max((runs[3]["cpu_seconds"] - runs[1]["cpu_seconds"]) / 2, 1e-6)  # resolution of the clock
    rate = m * operations(n, runs[1]["observed"] * n) / seconds / 1e9
    bench.add(
        "share of the product",
        "transfer, one round",
        on,
        method="transfer",
        n=n,
        m=m,
        threads=1,
        seconds=seconds,
        value=100 * rate / product,
        unit="%",
        limit="50 %" if n >= 2000 else None,
        kept=("yes" if rate >= 0.5 * product else "no") if n >= 2000 else "",
        note=f"{rate:.3g} of {product:.3g} GFLOP/s",
    )
