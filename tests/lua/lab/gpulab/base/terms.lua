-- Of the glossary, which the build makes of docs/guide/glossary.md, as much as these tests need.
return { { "warp", "Thirty-two threads." } }
