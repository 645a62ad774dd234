"""What the benchmarks run: methods with their options, sizes of problems, limits."""

PAPER = ["embd_ht", "embd_hm", "app", "sdp", "em", "knn", "wknn"]
EVERY = [*PAPER, "transfer", "latent"]
ITERATIVE = ["embd_ht", "embd_hm", "app", "sdp"]
FEW_ROUNDS = dict.fromkeys(ITERATIVE, ",max_iter=2,tol=1e-12")
FEW_ROUNDS["em"] = ",max_iter=5,tol=1e-12"
FEW_ROUNDS["transfer"] = ",max_iter=2,tol=0"
# Fixed options, for runs in which the method must not choose them.
FIXED = {
    "embd_ht": "embd_ht,c1=0.1,c2=0.03,ridge=0.01",
    "embd_hm": "embd_hm,c2=0.1,ridge=0.01",
    "app": "app,c2=0.01,ridge=0.01",
    "sdp": "sdp,c=0.01",
    "em": "em",
    "knn": "knn,k=5",
    "wknn": "wknn,k=5",
    "transfer": "transfer,gamma=0.5,ridge=0.02,intercept=yes,sources=all,target=kernel,diagonal=none",
}
SECONDS_AT_MOST = {"embd_ht": 60, "embd_hm": 60, "app": 60, "sdp": 300}
HOURS_IN_PAPER = {"embd_ht": "17 to 46 h", "app": "17 to 46 h", "embd_hm": "0.3 to 0.6 h", "sdp": "left empty"}
DOUBLES_AT_MOST, FROM_SAMPLES = 8, 500  # with fewer samples, pages and buffers dominate
RATIO_AT_MOST = 1.7
SIZES = {
    "full": {
        "rates": 2048,
        "one": (100, 7),
        "large": (720, 1200),
        "products": (100, 300, 720),
        "curve_n": (100, 200, 400, 800, 1600),
        "curve_m": (2, 4, 6, 8, 10),
        "curve_at": 300,
        "threads": 500,
        "share": 2000,
        "defaults": ITERATIVE,
        "min_time": 0.2,
        "beside": "/(500|1000)$|simplex|prox|proximal|psd|wide_csv",
    },
    "short": {
        "rates": 512,
        "one": (100, 7),
        "large": (200, 300),
        "products": (100, 200),
        "curve_n": (50, 100, 200, 400),
        "curve_m": (2, 4, 8),
        "curve_at": 100,
        "threads": 200,
        "share": 1000,
        "defaults": ITERATIVE,
        "min_time": 0.05,
        "beside": "/500$|simplex|prox|proximal|psd.*n:100|wide_csv",
    },
    "tiny": {
        "rates": 16,
        "one": (20, 3),
        "large": (64,),
        "products": (20,),
        "curve_n": (16, 32),
        "curve_m": (2, 3),
        "curve_at": 16,
        "threads": 64,
        "share": 64,
        "defaults": ["embd_hm"],
        "beside": "simplex_qp/5$|psd.*n:100/shift:0",
        "min_time": 0.001,
    },
}
CURVE_VIEWS, LARGE_VIEWS = 3, 5
