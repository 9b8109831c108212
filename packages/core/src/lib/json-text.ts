const texts = new WeakMap<object, string>()

/** Prints a value that nobody changes any more: once, however many want its text. */
export function jsonText(value: object): string {
  const known = texts.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  texts.set(value, text)
  return text
}
