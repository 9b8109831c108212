// How the parts of an Office file point at each other, and outside (ECMA-376 part 2, section 6.5).
import { childrenOf, type XmlElement } from './xml/tree.ts'

export interface Relation {
  readonly id: string
  /** The last word of its type: `slide`, `hyperlink`, `officeDocument`. */
  readonly kind: string
  readonly target: string
  /** It points out of the file. Links are shown; nothing is ever fetched. */
  readonly isExternal: boolean
}

export function readRelations(root: XmlElement | undefined): readonly Relation[] {
  return childrenOf(root, 'rel:Relationship').map(({ attributes }) => ({
    id: attributes['Id'] ?? '',
    kind: /[^/]*$/.exec(attributes['Type'] ?? '')?.[0] ?? '',
    target: attributes['Target'] ?? '',
    isExternal: attributes['TargetMode'] === 'External',
  }))
}

/** The part that holds the relations of another. */
export function relationsOf(part: string): string {
  const slash = part.lastIndexOf('/') + 1
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
}

/** The name of the part that an address in another part means. It cannot lead out of the archive. */
export function resolvePart(from: string, target: string): string {
  const path = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of target.split(/[?#]/, 1)[0]?.split('/') ?? []) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(decoded(step))
  }
  return path.join('/')
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
