// The parts of an archive as trees. Each is unpacked and parsed once, however often the file names it, and paragraphs are
// counted before they are added.
import type { Converting } from '../converting.ts'
import type { Zip } from '../zip/zip.ts'
import { readXml } from './read.ts'
import type { XmlElement } from './tree.ts'

/** Returns a part by its name, or `undefined` if there is none. */
export type ReadPart = (name: string) => XmlElement | undefined

const paragraphs: ReadonlySet<string> = new Set(['w:p', 'a:p', 'text:p', 'text:h', 'p', 'li', 'tr', 'dt', 'dd'])

/** Makes the counter of the paragraphs of a file. What comes after the limit is left out, with a warning. */
export function countParagraphs({ limits, warn }: Converting): (name: string) => boolean {
  let left = limits.paragraphs
  return (name) => {
    if (!paragraphs.has(name)) return true
    left -= 1
    if (left < 0) warn(`The file has more than ${limits.paragraphs} paragraphs; the rest is left out.`)
    return left >= 0
  }
}

/** Makes the reader of the parts of an archive. */
export function partReader(zip: Zip, work: Converting): ReadPart {
  const known = new Map<string, XmlElement | undefined>()
  const take = countParagraphs(work)
  return (name) => {
    if (known.has(name)) return known.get(name)
    const text = zip.text(name)
    const root = text === undefined ? undefined : readXml(text, { depth: work.limits.depth, take })
    known.set(name, root)
    return root
  }
}
