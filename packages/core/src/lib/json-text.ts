const printed = Symbol('printed')

interface Printed {
  readonly [printed]?: string
}

/**
 * Prints a value that nobody changes any more: once, however many want its text. The text stands on the value itself,
 * unseen: in a `WeakMap` it would outlive the value until the next full collection.
 */
export function jsonText(value: object): string {
  const known = (value as Printed)[printed]
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  if (Object.isExtensible(value)) Object.defineProperty(value, printed, { value: text })
  return text
}
