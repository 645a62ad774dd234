"""A classifier on the combined kernel, with scikit-learn.

    mkc complete rna.csv protein.csv methyl.tsv.gz -o result
    mkc combine result -o K.npz
    python3 classify.py K.npz labels.tsv        # labels: a header, then sample <tab> class

A third of the labelled samples is held out. The classifier is trained on rows *and* columns of the
training samples, K[train, train]. It predicts from rows of test samples and columns of training
samples, K[test, train].
"""

import sys

import numpy as np
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.svm import SVC

kernel_file, label_file = sys.argv[1:3]
stored = np.load(kernel_file)
K, samples = stored["K"], stored["samples"]

with open(label_file) as file:
    classes = dict(line.rstrip("\n").split("\t")[:2] for line in list(file)[1:])
rows = np.array([i for i, sample in enumerate(samples) if classes.get(sample)])
y = np.array([classes[samples[i]] for i in rows])

train, test, y_train, y_test = train_test_split(rows, y, test_size=1 / 3, stratify=y, random_state=0)
search = GridSearchCV(SVC(kernel="precomputed"), {"C": [0.1, 1, 10, 100]}, cv=3)
search.fit(K[np.ix_(train, train)], y_train)
accuracy = search.score(K[np.ix_(test, train)], y_test)
print(f"trained on {len(train)} samples, C = {search.best_params_['C']:g}")
print(f"accuracy {accuracy:.3f} on {len(test)} others")
