/** Parses JSON. Returns `undefined`, which is not a JSON value, if the string is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
