// The importers' module, loaded when files are there to be read: from the assets, or from the page itself where that is one file.
