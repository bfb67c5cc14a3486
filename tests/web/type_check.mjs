// Holds declared types against values. TypeScript itself only says that a value fits a type; this also says which declared keys, nulls
// and ids no value has.
import ts from 'typescript';

const has = (type, flags) => (type.flags & flags) !== 0;
const membersOf = (type) => (type.isUnion() ? type.types : [type]);
// `'a' | 'b' | (string & {})`: any text, of which some is known.
const isAnyText = (type) => has(type, ts.TypeFlags.String) || (type.isIntersection() && type.types.some((part) => has(part, ts.TypeFlags.String)));

// `file` exports one type per name. Returns { look(name, value), own(name), report() }. `open(path, text)`: this text may stand there, though it is
// not among the known. `loose`: keys that are not declared are no mistake.
export function typeCheck(file, { open = () => false, loose = false } = {}) {
  const program = ts.createProgram([file], {
    strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [],
  });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
  const typeOf = new Map(exported.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]));
  const problems = new Set();
  const objects = new Map();  // type -> { at, count, keys: Map(name -> { present, property }) }
  const nulls = new Set();  // properties that were null; inherited ones are the same in each type
  const known = new Map();  // union -> { at, seen }
  const propertyType = (property) => checker.getTypeOfSymbol(property);

  // Of a union the member whose own ids and truths are the value's.
  function fitsMember(type, value) {
    return checker.getPropertiesOfType(type).every((property) => {
      const members = membersOf(propertyType(property));
      const closed = members.every((member) => member.isLiteral() || has(member, ts.TypeFlags.BooleanLiteral));
      return !closed || members.some((member) => checker.typeToString(member) === JSON.stringify(value[property.name]));
    });
  }

  function lookAtObject(type, value, at) {
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index) return Object.values(value).forEach((each) => look(index.type, each, `${at}.*`));
    if (!objects.has(type)) objects.set(type, { at, count: 0, keys: new Map(checker.getPropertiesOfType(type).map((property) => [property.name, { present: 0, property }])) });
    const seen = objects.get(type);
    seen.count += 1;
    for (const key of Object.keys(value)) if (!seen.keys.has(key) && !loose) problems.add(`${at}.${key} is not declared`);
    for (const [key, counts] of seen.keys) {
      if (!(key in value) || typeof value[key] === 'function') continue;
      counts.present += 1;
      if (value[key] === null) nulls.add(counts.property);
      look(propertyType(counts.property), value[key], `${at}.${key}`);
    }
    return undefined;
  }

  function look(type, value, at) {
    const members = membersOf(type).filter((member) => !has(member, ts.TypeFlags.Undefined));
    if (value === null) {
      if (!members.some((member) => has(member, ts.TypeFlags.Null))) problems.add(`${at} is null`);
    } else if (Array.isArray(value)) {
      const list = members.find((member) => checker.isArrayType(member));
      if (list) value.forEach((each) => look(checker.getTypeArguments(list)[0], each, `${at}[]`));
      else problems.add(`${at} is a list`);
    } else if (typeof value === 'object') {
      const member = members.find((each) => has(each, ts.TypeFlags.Object) && !checker.isArrayType(each) && fitsMember(each, value));
      if (member) lookAtObject(member, value, at);
      else problems.add(`${at} is an object of no declared kind`);
    } else {
      const literals = members.filter((member) => member.isStringLiteral()).map((member) => member.value);
      if (literals.length > 0 && typeof value === 'string') {
        if (!known.has(type)) known.set(type, { at, literals, seen: new Set() });
        known.get(type).seen.add(value);
        if (!literals.includes(value) && !open(at, value)) problems.add(`${at}: "${value}" is not among the known`);
      } else if (!members.some((member) => (typeof value === 'string' && isAnyText(member)) || (typeof value === 'number' && (has(member, ts.TypeFlags.Number) || member.value === value)) || (typeof value === 'boolean' && checker.typeToString(member) === String(value)))) {
        problems.add(`${at}: ${typeof value} ${value}`);
      }
    }
  }

  return {
    look: (name, value) => look(typeOf.get(name), value, name),
    // Keys that the interface itself declares, without those it inherits.
    own: (name) => [...typeOf.get(name).symbol.members.keys()],
    // { found, keys }: what was found, as texts, and the names of all declared keys.
    report() {
      const found = new Set([...program.getSemanticDiagnostics(), ...program.getGlobalDiagnostics()].map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n')));
      for (const problem of problems) found.add(problem);
      for (const { at, count, keys } of objects.values()) {
        for (const [key, { present, property }] of keys) {
          if (checker.getSignaturesOfType(propertyType(property), ts.SignatureKind.Call).length > 0) continue;
          const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
          const nullable = membersOf(propertyType(property)).some((member) => has(member, ts.TypeFlags.Null));
          if (present === 0) found.add(`${at}.${key} is never there`);
          else if (optional !== present < count) found.add(`${at}.${key} is there ${present} times of ${count}`);
          if (nullable && !nulls.has(property)) found.add(`${at}.${key} is never null`);
        }
      }
      for (const { at, literals, seen } of known.values()) for (const id of literals) if (!seen.has(id)) found.add(`${at}: never "${id}"`);
      return { found: [...found], keys: new Set([...objects.values()].flatMap(({ keys }) => [...keys.keys()])) };
    },
  };
}
