// What is left out of Embind: at its start it makes every type known that C++ has. Text goes in and views of bytes come out
// (bindings.cpp), so that numbers and wide strings never cross: 2 KB of download.
for (const type of ['bool', 'integer', 'bigint', 'float', 'std_wstring']) {
  const name = `_embind_register_${type}`;
  mergeInto(LibraryManager.library, { [name]: function () {}, [`${name}__deps`]: [] });
}
// Nor are there overloads, types that are not bound, anybody who counts handles, or kinds of errors to tell apart.
mergeInto(LibraryManager.library, {
  $ensureOverloadTable: function () {},
  $ensureOverloadTable__deps: [],
  $throwUnboundTypeError: function () {},
  $throwUnboundTypeError__deps: [],
  $init_emval: function () {},
  $init_emval__deps: [],
  $extendError: function (base) { return base; },
  $extendError__deps: [],
});
