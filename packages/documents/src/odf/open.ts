import type { Converting } from '../converting.ts'
import { damaged, encrypted } from '../refuse.ts'
import { partReader, type ReadPart } from '../xml/parts.ts'
import { elementsIn, type XmlElement } from '../xml/tree.ts'
import { openZip } from '../zip/zip.ts'

export interface OdfFile {
  readonly content: XmlElement
  readonly part: ReadPart
}

/**
 * Opens an OpenDocument file. Throws `unsupported_file` if it is damaged, is encrypted or has no content, and
 * `response_too_large` or `page_too_complex` if it exceeds the limits. `part` throws these too.
 */
export function openOdf(bytes: Uint8Array, work: Converting): OdfFile {
  const part = partReader(openZip(bytes, work.limits), work)
  // An encrypted part has no mark of its own; the manifest lists which parts are encrypted.
  const manifest = part('META-INF/manifest.xml')
  if (manifest && [...elementsIn(manifest)].some(({ name }) => name === 'manifest:encryption-data')) throw encrypted()
  const content = part('content.xml')
  if (!content) throw damaged('it contains no content')
  return { content, part }
}

/**
 * Returns a reader that returns each part only at its first call, and `undefined` afterwards: a formula occurs in one place,
 * and a small file could refer to a long one very often.
 */
export function eachOnce(part: ReadPart): ReadPart {
  const shown = new Set<string>()
  return (name) => {
    if (shown.has(name)) return undefined
    shown.add(name)
    return part(name)
  }
}
