namespace mkc::io {}
