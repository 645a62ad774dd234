#include "problem/known_names.hpp"

#include <unordered_set>

namespace mkc {

namespace {

using Words = std::unordered_set<std::string_view>;

const Words genes = {
    "abl1",   "acat1",  "acta2",   "actb",   "actg1",  "akt1",   "akt2",     "akt3",   "alb",
    "aldoa",  "alk",    "apc",     "apoe",   "ar",     "araf",   "arid1a",   "asns",   "atm",
    "atr",    "atrx",   "aurka",   "axin1",  "axl",    "b2m",    "bad",      "bak1",   "bap1",
    "bax",    "bcl2",   "bcl2l1",  "bcl6",   "birc5",  "braf",   "brca1",    "brca2",  "brd4",
    "btk",    "c3",     "card11",  "casp3",  "casp8",  "casp9",  "cav1",     "ccl2",   "ccl5",
    "ccna2",  "ccnb1",  "ccnd1",   "ccnd2",  "ccne1",  "cd19",   "cd274",    "cd3d",   "cd3e",
    "cd4",    "cd44",   "cd68",    "cd79a",  "cd8a",   "cdc20",  "cdc25a",   "cdh1",   "cdh2",
    "cdk1",   "cdk2",   "cdk4",    "cdk6",   "cdkn1a", "cdkn1b", "cdkn2a",   "cdkn2b", "cebpa",
    "chek1",  "chek2",  "col1a1",  "col1a2", "col3a1", "crebbp", "csf1r",    "ctla4",  "ctnnb1",
    "cxcl10", "cxcl8",  "cxcr4",   "ddit3",  "ddr1",   "dnmt1",  "dnmt3a",   "e2f1",   "eef1a1",
    "eef2",   "egf",    "egfr",    "egr1",   "eif4e",  "eno1",   "ep300",    "epcam",  "epha2",
    "erbb2",  "erbb3",  "erbb4",   "ercc1",  "erg",    "esr1",   "esr2",     "ets1",   "ets2",
    "ezh2",   "fasn",   "fbxw7",   "fgfr1",  "fgfr2",  "fgfr3",  "flt3",     "fn1",    "fos",
    "fosl1",  "foxa1",  "foxm1",   "foxo3",  "foxp3",  "g6pd",   "gab2",     "gapdh",  "gata1",
    "gata2",  "gata3",  "gfap",    "gsk3b",  "gzmb",   "hdac1",  "hgf",      "hif1a",  "hla-a",
    "hla-b",  "hla-c",  "hla-dra", "hmox1",  "hnf1a",  "hras",   "hsp90aa1", "hspa1a", "icam1",
    "idh1",   "idh2",   "ifng",    "igf1",   "igf1r",  "igfbp2", "il10",     "il1b",   "il2",
    "il6",    "inpp4b", "irf1",    "irf4",   "irs1",   "jak1",   "jak2",     "jak3",   "jun",
    "junb",   "kdr",    "keap1",   "kit",    "klf4",   "kmt2a",  "kmt2d",    "kras",   "krt18",
    "krt19",  "krt5",   "krt8",    "lck",    "ldha",   "lyz",    "map2k1",   "map2k2", "mapk1",
    "mapk14", "mapk3",  "mapk8",   "mcl1",   "mdm2",   "mdm4",   "met",      "mgmt",   "mki67",
    "mlh1",   "mmp2",   "mmp9",    "mpl",    "ms4a1",  "msh2",   "msh6",     "mtor",   "muc1",
    "myb",    "myc",    "mycn",    "myd88",  "nf1",    "nf2",    "nfe2l2",   "nfkb1",  "nkx2-1",
    "notch1", "notch2", "notch3",  "npm1",   "nras",   "ntrk1",  "parp1",    "pax5",   "pax8",
    "pcna",   "pdcd1",  "pdgfra",  "pdgfrb", "pdk1",   "pecam1", "pgk1",     "pgr",    "pik3ca",
    "pik3cb", "pik3r1", "pkm",     "pparg",  "ppara",  "prdm1",  "prkca",    "ptch1",  "pten",
    "ptprc",  "ptpn11", "rac1",    "rad50",  "rad51",  "raf1",   "rb1",      "rela",   "ret",
    "rheb",   "rhoa",   "ros1",    "rpl13a", "rplp0",  "rps6",   "runx1",    "s100a4", "sdha",
    "setd2",  "sf3b1",  "shh",     "smad2",  "smad3",  "smad4",  "smarca4",  "smo",    "sox2",
    "sox9",   "spi1",   "src",     "stat1",  "stat3",  "stat5a", "stk11",    "syk",    "tbp",
    "tert",   "tet2",   "tfrc",    "tgfb1",  "tgfbr2", "tgm2",   "tlr4",     "tnf",    "top2a",
    "tp53",   "tp63",   "traf3",   "tsc1",   "tsc2",   "ubc",    "vegfa",    "vhl",    "vim",
    "vwf",    "wee1",   "wnt5a",   "wt1",    "xbp1",   "xist",   "xrcc1",    "yap1",   "zeb1"};

const Words sample_stems = {
    "s",       "p",          "pt",          "pat",    "patient",  "sample",   "samp",
    "subject", "subj",       "sub",         "case",   "cell",     "mouse",    "donor",
    "ind",     "individual", "person",      "animal", "control",  "ctrl",     "tumor",
    "tumour",  "specimen",   "participant", "plant",  "doc",      "document", "image",
    "img",     "story",      "station",     "embryo", "sampleid", "id"};

const Words feature_stems = {"v",     "x",       "f",        "g",          "gene", "feature",
                             "feat",  "probe",   "var",      "variable",   "col",  "column",
                             "pc",    "dim",     "factor",   "attr",       "snp",  "otu",
                             "asv",   "protein", "prot",     "metabolite", "word", "term",
                             "pixel", "peptide", "attribute"};

const Words sample_words = {"id",
                            "ids",
                            "sample",
                            "samples",
                            "sampleid",
                            "sampleids",
                            "samplename",
                            "patient",
                            "patients",
                            "patientid",
                            "subject",
                            "subjects",
                            "subjectid",
                            "case",
                            "caseid",
                            "cell",
                            "cells",
                            "cellid",
                            "barcode",
                            "barcodes",
                            "donor",
                            "donorid",
                            "mouse",
                            "individual",
                            "individualid",
                            "participant",
                            "participantid",
                            "person",
                            "specimen",
                            "specimenid",
                            "animal",
                            "obs",
                            "observation",
                            "document",
                            "doc",
                            "submitterid",
                            "bcrpatientbarcode",
                            "tcgabarcode",
                            "cellline",
                            "depmapid",
                            "station",
                            "embryo"};

const Words feature_words = {"gene",         "genes",
                             "geneid",       "genename",
                             "genesymbol",   "symbol",
                             "symbols",      "hugosymbol",
                             "hugo",         "ensembl",
                             "ensemblid",    "ensemblgeneid",
                             "entrez",       "entrezid",
                             "entrezgeneid", "feature",
                             "features",     "featureid",
                             "probe",        "probes",
                             "probeid",      "idref",
                             "protein",      "proteins",
                             "proteinid",    "uniprot",
                             "mirna",        "mirnas",
                             "mirnaid",      "transcript",
                             "transcriptid", "cpg",
                             "cpgs",         "metabolite",
                             "metabolites",  "otu",
                             "otuid",        "asv",
                             "taxon",        "taxa",
                             "peptide",      "lipid",
                             "compound",     "variable",
                             "variables",    "snp",
                             "snps",         "compositeelementref",
                             "attribname",   "hybridizationref",
                             "antibody",     "marker",
                             "markers",      "term",
                             "word",         "genesample"};

}  // namespace

bool is_known_gene(std::string_view symbol) { return genes.contains(symbol); }
bool is_sample_stem(std::string_view stem) { return sample_stems.contains(stem); }
bool is_feature_stem(std::string_view stem) { return feature_stems.contains(stem); }
bool is_sample_word(std::string_view word) { return sample_words.contains(word); }
bool is_feature_word(std::string_view word) { return feature_words.contains(word); }

}  // namespace mkc
