// Reads the parts of an archive as trees. Each is unpacked and parsed once, however often the file refers to it, and elements
// are counted before they are added.
import { countElements, type Converting } from '../converting.ts'
import type { Zip } from '../zip/zip.ts'
import { readXml } from './read.ts'
import type { XmlElement } from './tree.ts'

/** Returns a part by its name, or `undefined` if there is none. */
export type ReadPart = (name: string) => XmlElement | undefined

/**
 * Creates a reader for the parts of an archive. It returns `undefined` for missing and empty parts, and parses each part once.
 * It throws what `openZip` and `readXml` do; elements beyond the limits are omitted with a warning.
 */
export function partReader(zip: Zip, work: Converting): ReadPart {
  const known = new Map<string, XmlElement | undefined>()
  const take = countElements(work)
  return (name) => {
    if (known.has(name)) return known.get(name)
    const text = zip.text(name)
    const root = text === undefined ? undefined : readXml(text, { depth: work.limits.depth, take })
    known.set(name, root)
    return root
  }
}
