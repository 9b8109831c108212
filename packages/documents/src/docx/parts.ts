// Finds the parts of a Word document: by relations, otherwise at their default locations.
import { resolvePart, readRelations, relationsOf } from '../relations.ts'
import type { XmlElement } from '../xml/tree.ts'
import type { Zip } from '../zip/zip.ts'

export interface Parts {
  readonly main: string
  readonly styles: string | undefined
  readonly numbering: string | undefined
  readonly footnotes: string | undefined
  readonly endnotes: string | undefined
  readonly core: string
  readonly app: string
  relations(part: string | undefined): string | undefined
}

/**
 * Finds the parts of a Word document by their relations, or else by their usual names. Optional parts are `undefined` if
 * missing; `main`, `core` and `app` are always names, even if the file has no such part.
 */
export function findParts(zip: Zip, xml: (name: string | undefined) => XmlElement | undefined): Parts {
  const main = readRelations(xml('_rels/.rels')).find(({ kind }) => kind === 'officeDocument')
  const path = resolvePart('', main?.target ?? 'word/document.xml')
  const found = zip.has(path) ? path : 'word/document.xml'
  const relations = readRelations(xml(relationsOf(found)))
  const part = (kind: string): string | undefined => {
    const relation = relations.find((candidate) => candidate.kind === kind && !candidate.isExternal)
    const name = resolvePart(found, relation?.target ?? `${kind}.xml`)
    return zip.has(name) ? name : undefined
  }
  return {
    main: found,
    styles: part('styles'),
    numbering: part('numbering'),
    footnotes: part('footnotes'),
    endnotes: part('endnotes'),
    core: 'docProps/core.xml',
    app: 'docProps/app.xml',
    relations: (name) => name && relationsOf(name),
  }
}
