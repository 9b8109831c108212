const textOnIt = Symbol('text')

interface WithText {
  readonly [textOnIt]?: string
}

/**
 * Prints a value that is not changed any more: once, however many want its text. The text stands on the value itself,
 * unseen: in a `WeakMap` it would outlive the value until the next full collection.
 */
export function jsonText(value: object): string {
  const known = (value as WithText)[textOnIt]
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  if (Object.isExtensible(value)) Object.defineProperty(value, textOnIt, { value: text })
  return text
}
