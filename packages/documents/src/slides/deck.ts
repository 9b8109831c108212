import type { Converting } from '../converting.ts'
import { readRelations, relationsOf, resolvePart, type Relation } from '../relations.ts'
import { partReader } from '../xml/parts.ts'
import type { XmlElement } from '../xml/tree.ts'
import { openZip } from '../zip/zip.ts'

/** The parts of a presentation. */
export interface Deck {
  /** Returns a parsed part; each is parsed once. */
  readonly part: (name: string | undefined) => XmlElement | undefined
  /** Parts that were already shown: each is shown once. */
  readonly shown: Set<string>
  readonly relations: (name: string) => readonly Relation[]
  /** Returns the name of the part that another part has a relation of this kind to. */
  readonly related: (name: string, kind: string) => string | undefined
}

/**
 * Opens the archive of a presentation. Its parts are parsed on first use. Throws `unsupported_file` if the archive is damaged
 * or encrypted, and `response_too_large` if it exceeds the limits; reading a part may also throw `page_too_complex`.
 */
export function openDeck(bytes: Uint8Array, work: Converting): Deck {
  const read = partReader(openZip(bytes, work.limits), work)
  const known = new Map<string, readonly Relation[]>()
  const relations = (name: string): readonly Relation[] => {
    const found = known.get(name) ?? readRelations(read(relationsOf(name)))
    known.set(name, found)
    return found
  }
  return {
    part: (name) => (name === undefined ? undefined : read(name)),
    shown: new Set(),
    relations,
    related: (name, kind) => {
      const found = relations(name).find((relation) => relation.kind === kind && !relation.isExternal)
      return found && resolvePart(name, found.target)
    },
  }
}
