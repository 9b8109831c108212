import type { ListedKind } from '@harvestman/client'
import { signal } from '@preact/signals'

import { client } from './api.ts'
import type { Schema } from './schema.ts'

/** A kind of job with a single result, as the server describes it. The page has no code for specific kinds. */
export interface ServedKind extends Omit<ListedKind, 'request' | 'answer'> {
  readonly request: Schema
  readonly answer: Schema
}

/** The job kinds of the server; `undefined` until loaded. */
export const served = signal<readonly ServedKind[] | undefined>(undefined)

let asking: Promise<readonly ServedKind[]> | undefined

/** Loads the job kinds of the server, once. After a failure, which rejects, the next call tries again. */
export function askKinds(): Promise<readonly ServedKind[]> {
  asking ??= client.kinds().then(
    // Cast: both are JSON Schemas.
    (kinds) => (served.value = kinds as readonly ServedKind[]),
    (error: unknown) => {
      asking = undefined
      throw error
    },
  )
  return asking
}

/** Returns the job kind of a plugin by name; `undefined` if it is unknown or the kinds are not loaded yet. */
export function servedKind(kind: string): ServedKind | undefined {
  return served.value?.find((one) => one.kind === kind)
}

/** Returns the title of a kind. Default: derived from its name. */
export function titleOf({ kind, title }: Pick<ServedKind, 'kind' | 'title'>): string {
  if (title !== kind) return title
  const words = kind.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Returns the names of the Markdown fields of a result. Empty if it has none. */
export function textsOf({ answer: { properties = {} } }: Pick<ServedKind, 'answer'>): readonly string[] {
  return Object.entries(properties).flatMap(([name, { contentMediaType }]) =>
    contentMediaType === 'text/markdown' ? [name] : [],
  )
}
