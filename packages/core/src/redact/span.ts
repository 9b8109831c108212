/** Categories that patterns can find. */
export type FoundEntity = 'EMAIL' | 'PHONE' | 'FINANCIAL' | 'SECRET'

/** A range of a string that identifies a person or is a secret. */
export interface Span {
  readonly start: number
  /** Index after the last character. */
  readonly end: number
  readonly entity: FoundEntity
  /** Subcategory, such as `iban`. */
  readonly kind: string
}

export interface FindOptions {
  /** True to also find numbers that only look like phone or identity numbers, without a label. */
  readonly isAggressive: boolean
}

/** Finds the spans of one category. Runs in linear time. */
export type Find = (text: string, options: FindOptions) => Span[]

const before = 40

/** Returns the characters before an index on the same line, at most `length` (default: 40); empty at the start of a line. */
export function lineBefore(text: string, index: number, length = before): string {
  const part = text.slice(Math.max(0, index - length), index)
  return part.slice(part.lastIndexOf('\n') + 1)
}

/** Returns a string without all characters that are not digits 0 to 9. */
export const digitsIn = (text: string): string => text.replaceAll(/\D/g, '')
