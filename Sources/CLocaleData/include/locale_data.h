// The C target has to have a header; nothing includes it.
