// What kept the model hub from answering, in words. The texts of the locale part `hub` are needed beside the first.

// Null for what is no failure of the hub's.
export function explainHubFailure(error, { t, has, format }) {
  const key = `hub_error.${error?.id}`;
  if (!error?.values || !has(key)) return null;
  const { values } = error;
  const figures = Object.fromEntries(['seconds', 'files', 'wanted', 'got'].filter((name) => typeof values[name] === 'number').map((name) => [name, format.number(values[name])]));
  return t(key, { ...values, ...figures, ...(typeof values.bytes === 'number' && { bytes: format.bytes(values.bytes) }) }, values);
}
