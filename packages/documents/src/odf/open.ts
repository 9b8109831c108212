import type { Limits } from '../limits.ts'
import { damaged, encrypted } from '../refuse.ts'
import { readXml } from '../xml/read.ts'
import { elementsIn, type XmlElement } from '../xml/tree.ts'
import { openZip } from '../zip/zip.ts'

export interface OdfFile {
  readonly content: XmlElement
  readonly part: (name: string) => XmlElement | undefined
}

export function openOdf(bytes: Uint8Array, limits: Limits): OdfFile {
  const zip = openZip(bytes, limits)
  const part = (name: string): XmlElement | undefined => {
    const text = zip.text(name)
    return text === undefined ? undefined : readXml(text, limits.depth)
  }
  // An encrypted part looks like any other; the list of parts says which are.
  const manifest = part('META-INF/manifest.xml')
  if (manifest && [...elementsIn(manifest)].some(({ name }) => name === 'manifest:encryption-data')) throw encrypted()
  const content = part('content.xml')
  if (!content) throw damaged('it has no content in it')
  return { content, part }
}
