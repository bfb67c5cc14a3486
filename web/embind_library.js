// What is left out of Embind: at its start it makes every type known that C++ has. Text goes in and views of bytes come out
// (bindings.cpp), so that numbers and wide strings never cross: 2 KB of download.
for (const type of ['bool', 'integer', 'bigint', 'float', 'std_wstring']) {
  const name = `_embind_register_${type}`;
  mergeInto(LibraryManager.library, { [name]: function () {}, [`${name}__deps`]: [] });
}
