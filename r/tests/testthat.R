library(testthat)
library(mkc)
test_check("mkc")
