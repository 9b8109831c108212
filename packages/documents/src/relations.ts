// Relations between the parts of an Office file, and to external targets (ECMA-376 part 2, section 6.5).
import { childrenOf, type XmlElement } from './xml/tree.ts'

export interface Relation {
  readonly id: string
  /** The last segment of its type: `slide`, `hyperlink`, `officeDocument`. */
  readonly kind: string
  readonly target: string
  /** The target is outside of the file. Links are shown; nothing is ever fetched. */
  readonly isExternal: boolean
}

/** Returns the relations in a part, with the last segment of their type as kind. Empty if the part is missing. */
export function readRelations(root: XmlElement | undefined): readonly Relation[] {
  return childrenOf(root, 'rel:Relationship').map(({ attributes }) => ({
    id: attributes['Id'] ?? '',
    kind: /[^/]*$/.exec(attributes['Type'] ?? '')?.[0] ?? '',
    target: attributes['Target'] ?? '',
    isExternal: attributes['TargetMode'] === 'External',
  }))
}

/** Returns the name of the part with the relations of another part. */
export function relationsOf(part: string): string {
  const slash = part.lastIndexOf('/') + 1
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
}

/** Resolves a target relative to a part. The result never leaves the archive. */
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
