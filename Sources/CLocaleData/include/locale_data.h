// A C target needs a header; no file includes this one.
