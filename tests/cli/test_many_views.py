"""Thousands of views are read in a time that grows with their number, not with its square or cube."""

import numpy as np

SAMPLES = [f"s{i}" for i in range(20)]


def test_npz_with_many_arrays(mkc, tmp_path):
    random = np.random.default_rng(0)
    arrays = {}
    for i in range(4000):
        x = random.normal(size=(20, 3))
        arrays[f"v{i}"] = x @ x.T
    np.savez(tmp_path / "many.npz", samples=np.array(SAMPLES), **arrays)
    # took more than a minute when the file was opened for each array
    result = mkc("complete", "many.npz", "-m", "mean", "--dry-run", timeout=60)
    assert result.code == 0 and "4000 views, 20 samples" in result.out, result.err[-500:]


def test_many_tables(mkc, tmp_path):
    """Half of them with samples in columns; some samples are in no other view of the same spelling."""
    random = np.random.default_rng(0)
    manifest = []
    for i in range(2000):
        kept = [s for j, s in enumerate(SAMPLES) if (i + j) % 7] + [f"only{i}"]
        names = [f"g{i}_{j}" for j in range(4)]
        rows, columns = (kept, names) if i % 2 else (names, kept)
        lines = [",".join(["id", *columns])]
        for row in rows:
            lines.append(",".join([row, *map(repr, random.normal(size=len(columns)).tolist())]))
        (tmp_path / f"{i}.csv").write_text("\n".join(lines) + "\n")
        manifest.append(f'[[view]]\nname = "v{i}"\nfile = "{i}.csv"\n')
    (tmp_path / "many.toml").write_text("".join(manifest))
    # took more than a minute when all pairs of tables were compared
    result = mkc("complete", "many.toml", "-m", "mean", "--dry-run", timeout=60)
    assert result.code == 0 and "2000 views, 2020 samples" in result.out, result.err[-500:]
    assert result.err.count("samples are in columns") == 1000
