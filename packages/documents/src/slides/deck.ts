import type { Converting } from '../converting.ts'
import { readRelations, relationsOf, resolvePart, type Relation } from '../relations.ts'
import { readXml } from '../xml/read.ts'
import type { XmlElement } from '../xml/tree.ts'
import { openZip } from '../zip/zip.ts'

/** The parts of a presentation. */
export interface Deck {
  /** A part, read; each is read once. */
  readonly part: (name: string | undefined) => XmlElement | undefined
  readonly relations: (name: string) => readonly Relation[]
  /** The part that another part has a relation of this kind to. */
  readonly related: (name: string, kind: string) => string | undefined
}

export function openDeck(bytes: Uint8Array, limits: Converting['limits']): Deck {
  const zip = openZip(bytes, limits)
  const known = new Map<string, XmlElement | undefined>()
  const part = (name: string | undefined): XmlElement | undefined => {
    if (name === undefined) return undefined
    if (!known.has(name)) {
      const text = zip.text(name)
      known.set(name, text === undefined ? undefined : readXml(text, limits.depth))
    }
    return known.get(name)
  }
  const relations = (name: string): readonly Relation[] => readRelations(part(relationsOf(name)))
  return {
    part,
    relations,
    related: (name, kind) => {
      const found = relations(name).find((relation) => relation.kind === kind && !relation.isExternal)
      return found && resolvePart(name, found.target)
    },
  }
}
