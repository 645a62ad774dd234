#include "mkc/files/read_all.hpp"

#include <cmath>

#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using namespace test;

/// Files of one test, read together.
class Files {
 public:
  Files& add(const std::string& name, const std::string& text, const std::string& of_view = "") {
    specs_.push_back(parse_view_spec(folder_.write(name, text) + of_view));
    return *this;
  }
  std::string write(const std::string& name, const std::string& text) {
    return folder_.write(name, text);
  }
  void map(const std::string& text) {
    options.map = read_sample_map(folder_.write("map.csv", text));
  }
  ReadViews read() const { return read_all_views(specs_, options); }
  InputError error() const {
    return input_error([&] { read(); });
  }

  ReadAllOptions options;

 private:
  TempDir folder_;
  std::vector<ViewSpec> specs_;
};

// Nothing in the names says which are samples.
const std::string neutral = "x,w1,w2,w3\nu7,1,2,3\nu9,4,5,6\n";
const std::string rna = "gene,P1,P2,P3\nTP53,1,2,3\nEGFR,4,5,6\n";

TEST(ReadAllViews, SamplesInColumnsAreFoundByTheIdsOfOtherViews) {
  Files files;
  files.add("rna.csv", rna).add("prot.csv", "id,a,b\nP2,1,2\nP3,5,6\nP4,7,8\n");
  const ReadViews all = files.read();
  const View& turned = all.views.at(0);
  EXPECT_EQ(turned.ids, (Strings{"P1", "P2", "P3"}));
  EXPECT_EQ(turned.feature_names, (Strings{"TP53", "EGFR"}));
  EXPECT_EQ(turned.values, (Matrix(3, 2) << 1, 4, 2, 5, 3, 6).finished());
  EXPECT_EQ(turned.samples_in, SamplesIn::columns);
  ASSERT_EQ(turned.notices.size(), 1u);
  EXPECT_EQ(turned.notices[0],
            "samples are in columns: the row names are gene symbols, the column names are numbered "
            "'p', the header begins with 'gene'");
  EXPECT_EQ(turned.samples_in_because, turned.notices[0].substr(24));
  EXPECT_EQ(all.views.at(1).ids, (Strings{"P2", "P3", "P4"}));
  EXPECT_EQ(all.views.at(1).samples_in, SamplesIn::rows);
  EXPECT_TRUE(all.views.at(1).notices.empty());
}

TEST(ReadAllViews, ATableAloneHasItsSamplesInRowsUnlessItsNamesSayOtherwise) {
  Files files, genes;
  const View view = files.add("rna.csv", neutral).read().views[0];
  EXPECT_EQ(view.ids, (Strings{"u7", "u9"}));
  EXPECT_EQ(view.samples_in_because, "nothing says that they are in columns");
  EXPECT_EQ(genes.add("rna.csv", rna).read().views[0].ids, (Strings{"P1", "P2", "P3"}));
}

TEST(ReadAllViews, AFeatureInCommonIsNotASample) {
  Files files;
  files.add("a.csv", "id,x,age\nP1,1,2\nP2,3,4\n").add("b.csv", "id,age,y\nQ1,1,2\nQ2,3,4\n");
  EXPECT_EQ(files.read().views[0].ids, (Strings{"P1", "P2"}));
  EXPECT_EQ(files.read().views[1].ids, (Strings{"Q1", "Q2"}));
}

TEST(ReadAllViews, TheSideCanBeGivenForAllViewsOrForOne) {
  Files files;
  files.add("rna.csv", rna).add("cnv.csv", rna, ",samples_in=rows");
  files.options.read.samples_in = SamplesIn::columns;
  const ReadViews all = files.read();
  EXPECT_EQ(all.views[0].ids, (Strings{"P1", "P2", "P3"}));
  EXPECT_EQ(all.views[1].ids, (Strings{"TP53", "EGFR"}));
  EXPECT_TRUE(all.views[0].notices.empty());
}

TEST(ReadAllViews, GenesAndPatientsInBothFilesAreNotGuessed) {
  Files files;
  files.add("rna.csv", neutral).add("cnv.csv", neutral);
  const InputError error = files.error();
  expect_contains(error.what(),
                  "cannot decide whether samples are in rows ('u7', 'u9') or in columns ('w1', "
                  "'w2', 'w3'). For rows: 2 of 2 row names are also in other views. For columns: 3 "
                  "of 3 column names are also in other views");
  expect_contains(error.hint().text(), "samples_in=rows or columns");
  expect_contains(error.hint().text(), "rna.csv,samples_in=columns'");
}

TEST(ReadAllViews, AThirdViewShowsWhichNamesAreSamples) {
  Files files;
  files.add("rna.csv", neutral).add("cnv.csv", neutral).add("prot.csv", "id,a,b\nw2,1,2\nw3,5,6\n");
  const ReadViews all = files.read();
  EXPECT_EQ(all.views[0].ids, (Strings{"w1", "w2", "w3"}));
  EXPECT_EQ(all.views[1].ids, (Strings{"w1", "w2", "w3"}));
  EXPECT_EQ(all.views[2].ids, (Strings{"w2", "w3"}));
}

TEST(ReadAllViews, KernelsAndKnownSamplesShowTheSideToo) {
  Files kernel;
  kernel.add("rna.csv", neutral).add("cnv.csv", neutral).add("k.csv", "id,w1,w2\nw1,2,1\nw2,1,2\n");
  EXPECT_EQ(kernel.read().views[1].ids, (Strings{"w1", "w2", "w3"}));
  EXPECT_EQ(kernel.read().views[2].kind, ViewKind::kernel);
  Files known;
  known.add("rna.csv", neutral).add("cnv.csv", neutral);
  known.options.known_samples = {"u9"};
  EXPECT_EQ(known.read().views[0].ids, (Strings{"u7", "u9"}));
}

TEST(ReadAllViews, TheSameFeatureNamesInRowsDoNotConfuseManyViews) {
  Files files;
  files.add("a.csv", "id,V1,V2\nP1,1,2\nP2,3,4\n")
      .add("b.csv", "id,V1,V2\nP1,1,2\nP2,3,4\n")
      .add("c.csv", "id,X,Y\nP1,1,2\nP2,3,4\n");
  for (const auto& view : files.read().views) EXPECT_EQ(view.ids, (Strings{"P1", "P2"}));
}

TEST(ReadAllViews, TheSampleMapRenamesAndFindsTheSide) {
  Files files;
  files.add("rna.csv", "\"\",\"P1-01\",\"P2-01\"\nTP53,1,2\nEGFR,3,4\nMYC,5,6\n")
      .add("prot.csv", "\"\",\"P2-20\",\"P3-20\"\nTP53,1,2\nEGFR,3,4\n");
  files.map("assay,primary,colname\nrna,P1,P1-01\nrna,P2,P2-01\nprot,P2,P2-20\nprot,P3,P3-20\n");
  const ReadViews all = files.read();
  EXPECT_EQ(all.views[0].ids, (Strings{"P1", "P2"}));
  EXPECT_EQ(all.views[0].all_ids, (Strings{"P1", "P2"}));
  EXPECT_EQ(all.views[1].ids, (Strings{"P2", "P3"}));
  EXPECT_EQ(all.views[1].values, (Matrix(2, 2) << 1, 3, 2, 4).finished());
  EXPECT_EQ(all.views[1].notices, Strings{"samples are in columns: 2 of 2 column names are in the "
                                          "sample map"});
  EXPECT_TRUE(all.notices.empty());
}

TEST(ReadAllViews, IdsOnlyInTheMapOrTheFileAreReported) {
  Files more_in_file;
  more_in_file.add("rna.csv", rna);
  more_in_file.map("assay,primary,colname\nrna,A,P1\nrna,C,P3\nold,A,x\n");
  const ReadViews all = more_in_file.read();
  EXPECT_EQ(all.views[0].ids, (Strings{"A", "C"}));
  EXPECT_EQ(all.views[0].values, (Matrix(2, 2) << 1, 4, 3, 6).finished());
  EXPECT_EQ(all.views[0].notices.back(), "1 of 3 ids are not in the sample map and left out: 'P2'");
  expect_contains(all.notices.at(0), "also has 1 assay that no view is named after: 'old'");

  Files more_in_map;
  more_in_map.add("rna.csv", rna);
  more_in_map.map("assay\tprimary\tcolname\nrna\tA\tP1\nrna\tB\tP2\nrna\tC\tP3\nrna\tD\tP4\n");
  EXPECT_EQ(more_in_map.read().views[0].notices.back(),
            "1 of 4 colnames of the sample map are not in the file: 'P4'");
}

TEST(ReadAllViews, AMapWithOtherIdsIsRefused) {
  Files both;
  both.add("rna.csv", rna);
  both.map("assay,primary,colname\nrna,A,P1\nrna,B,p.2\nrna,C,PX\n");
  expect_contains(both.error().what(),
                  "2 colnames of the sample map are not in the file: 'p.2', 'PX'");
  expect_contains(both.error().what(), "2 ids of the file not in the map: 'P2', 'P3'");
  expect_contains(both.error().hint().text(), "correct the rows of assay 'rna'");
  Files none;
  none.add("rna.csv", rna);
  none.map("assay,primary,colname\nrna,A,X1\n");
  expect_contains(none.error().what(), "1 colnames for it, none of which is in the file");
  expect_contains(none.error().hint().text(),
                  "'X1'; the file has rows 'TP53', 'EGFR' and columns 'P1'");
  Files stranger;
  stranger.add("rna.csv", rna);
  stranger.map("assay,primary,colname\nRNA,A,P1\n");
  expect_contains(stranger.error().what(), "has no assay 'rna' (did you mean 'RNA'?)");
}

TEST(ReadAllViews, AViewOutsideTheMapMayUseSampleIds) {
  Files files;
  files.add("rna.csv", rna).add("clinic.csv", "id,age,sex\nA,50,1\nZ,60,0\n");
  files.map("assay,primary,colname\nrna,A,P1\nrna,B,P2\nrna,C,P3\n");
  const ReadViews all = files.read();
  EXPECT_EQ(all.views[1].ids, (Strings{"A", "Z"}));
  expect_contains(all.views[1].notices.at(0), "1 of 2 ids are samples of the map");
}

TEST(ReadAllViews, SpellingsAreReportedAndMatchedOnRequest) {
  Files files;
  files.add("rna.csv", "id,a,b\nTCGA-01,1,2\nTCGA-02,3,4\nTCGA-03,3,5\n")
      .add("prot.csv", "id,c,d\ntcga.01,1,2\nTCGA-02,3,4\nTCGA 04,3,5\n");
  const ReadViews apart = files.read();
  EXPECT_EQ(apart.views[1].ids, (Strings{"tcga.01", "TCGA-02", "TCGA 04"}));
  expect_contains(apart.notices.at(0),
                  "1 id differs only in spelling between views and counts as different samples: "
                  "'TCGA-01' (rna) and 'tcga.01' (prot); the rule loose");
  files.options.ids = parse_id_rule("loose");
  const ReadViews matched = files.read();
  EXPECT_EQ(matched.views[1].ids, (Strings{"TCGA-01", "TCGA-02", "TCGA 04"}));
  expect_contains(matched.notices.at(0), "1 ids that differ only in spelling are taken as one");
}

TEST(ReadAllViews, ACommonSuffixOfAViewCanBeRemoved) {
  Files files;
  files.add("rna.csv", "id,a,b\nP1_rna,1,2\nP2_rna,3,4\nP3_rna,3,4\n")
      .add("prot.csv", "id,c,d\nP1_prot,1,2\nP2_prot,3,4\nP3_prot,3,4\n");
  expect_contains(files.error().what(), "0 of 6 ids are in another view too");
  expect_contains(files.error().hint().text(), "ids=loose");
  files.options.ids = parse_id_rule("loose");
  for (const auto& view : files.read().views) EXPECT_EQ(view.ids, (Strings{"P1", "P2", "P3"}));
}

TEST(ReadAllViews, ASuffixThatOtherViewsHaveIsKept) {
  Files files;
  files.add("a.csv", "id,a,b\nx-1,1,2\ny-1,3,4\n").add("b.csv", "id,c,d\nx-1,1,2\ny-1,3,4\n");
  files.options.ids = parse_id_rule("loose");
  for (const auto& view : files.read().views) EXPECT_EQ(view.ids, (Strings{"x-1", "y-1"}));
}

TEST(ReadAllViews, SeveralRowsOfASample) {
  Files files;
  files.add("a.csv", "id,f,g\nP1,1,2\nP2,3,4\nP1,3,\n");
  const InputError error = files.error();
  expect_contains(error.what(), "sample 'P1' has 2 rows: 'P1' (line 2) and 'P1' (line 4)");
  expect_contains(error.hint().text(), "replicates=first");
  files.options.read.replicates = Replicates::first;
  EXPECT_EQ(files.read().views[0].values, (Matrix(2, 2) << 1, 2, 3, 4).finished());
  files.options.read.replicates = Replicates::mean;
  const View mean = files.read().views[0];
  EXPECT_EQ(mean.ids, (Strings{"P1", "P2"}));
  EXPECT_EQ(mean.values, (Matrix(2, 2) << 2, 2, 3, 4).finished());
  expect_contains(mean.notices.at(0), "1 sample has several rows");
}

TEST(ReadAllViews, ReplicatesThroughTheMap) {
  const std::string map = "assay,primary,colname\nrna,A,P1\nrna,B,P2\nrna,A,P3\n";
  Files refused, files;
  refused.add("rna.csv", rna).map(map);
  expect_contains(refused.error().what(), "sample 'A' has 2 columns: 'P1' and 'P3'");
  files.add("rna.csv", rna, ",replicates=mean").map(map);
  const View view = files.read().views[0];
  EXPECT_EQ(view.ids, (Strings{"A", "B"}));
  EXPECT_EQ(view.values, (Matrix(2, 2) << 2, 5, 2, 5).finished());
}

TEST(ReadAllViews, TheMeanOfKernelRowsIsTheKernelOfTheMeans) {
  // x = 1, 2, 4 with K = x x'; the mean of the first and the last is 2.5.
  Files files;
  files.add("k.csv", "id,P1,P2,P1\nP1,1,2,4\nP2,2,4,8\nP1,4,8,16\n", ",kind=kernel");
  files.options.read.replicates = Replicates::mean;
  EXPECT_EQ(files.read().views[0].values, (Matrix(2, 2) << 6.25, 5, 5, 4).finished());
  files.options.read.replicates = Replicates::first;
  EXPECT_EQ(files.read().views[0].values, (Matrix(2, 2) << 1, 2, 2, 4).finished());
}

TEST(ReadAllViews, RepeatedFeatureNamesAreReported) {
  Files files;
  files.add("a.csv", "id,f,f\nP1,1,2\nP2,3,4\n");
  EXPECT_EQ(files.read().views[0].notices, Strings{"1 feature name appears more than once: 'f'"});
}

}  // namespace
}  // namespace mkc::io
