import type { Limits } from './limits.ts'

/** Counts one element, or several, before they are added. Returns `false` once the limit is reached: the rest is not read. */
export type Take = (name: string, count?: number) => boolean

/** The limits and the warning callback of a conversion. */
export interface Converting {
  readonly limits: Limits
  readonly warn: (sentence: string) => void
  /** Reads the files in this file. Absent for a file that is itself in another one. */
  readonly inner?: InnerFiles | undefined
}

/** A file in another file, such as an attachment. */
export interface InnerFile {
  readonly name: string
  /** Reads the file. May throw. */
  readonly bytes: () => Uint8Array
}

/** Reads the files in a file, within limits that all of them share. */
export interface InnerFiles {
  /**
   * Returns the content of a file as HTML, or `undefined` if it is no document, exceeds a limit, or cannot be read; the last two
   * with a warning.
   */
  read(file: InnerFile): Promise<string | undefined>
  /** Returns whether files with such a name are read. */
  isReadable(name: string): boolean
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
