// Scripts that come after the first answer. A browser may remember that one could not be had: each attempt has an address of its own.
const failures = new Map();

export async function lateScript(url) {
  const missed = failures.get(String(url)) ?? 0;
  try {
    return await import(missed ? `${url}?${missed}` : url);
  } catch (error) {
    failures.set(String(url), missed + 1);
    throw error;
  }
}
