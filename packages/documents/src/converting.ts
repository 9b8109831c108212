import type { Limits } from './limits.ts'

/** Counts one element, or several, before they are added. Returns `false` once the limit is reached: the rest is not read. */
export type Take = (name: string, count?: number) => boolean

/** The limits and the warning callback of a conversion. */
export interface Converting {
  readonly limits: Limits
  readonly warn: (sentence: string) => void
}

const paragraphs: ReadonlySet<string> = new Set(['w:p', 'a:p', 'text:p', 'text:h', 'p', 'li', 'tr', 'dt', 'dd'])

/**
 * Creates a counter for the elements and paragraphs of a file. It returns false once `limits.elements` is exceeded, and for
 * paragraphs once `limits.paragraphs` is; other elements then still get true. Each false comes with a warning that the rest is
 * omitted.
 */
export function countElements({ limits, warn }: Converting): Take {
  const left = { elements: limits.elements, paragraphs: limits.paragraphs }
  const spend = (unit: keyof typeof left, count: number): boolean => {
    left[unit] -= count
    if (left[unit] < 0)
      warn(
        `The file has more than ${limits[unit]} ${unit}; the rest is left out. Raise limits.${unit} of documents() to read it.`,
      )
    return left[unit] >= 0
  }
  return (name, count = 1) => spend('elements', count) && (!paragraphs.has(name) || spend('paragraphs', 1))
}
