import { signal } from '@preact/signals'

import { call } from './api.ts'
import type { Schema } from './schema.ts'

/** A kind of job with one answer, as the server tells of it: no kind is known to this page by its name. */
export interface ServedKind {
  readonly kind: string
  readonly title: string
  readonly path: string
  /** The option that says what a job is about. */
  readonly about: string
  readonly request: Schema
  readonly answer: Schema
}

/** The kinds of jobs of the server; unknown until it was asked. */
export const served = signal<readonly ServedKind[] | undefined>(undefined)

let asking: Promise<readonly ServedKind[]> | undefined

/** Asks for the kinds of the server, once. */
export function askKinds(): Promise<readonly ServedKind[]> {
  asking ??= call<{ kinds: readonly ServedKind[] }>('v2/kinds').then(
    ({ kinds }) => (served.value = kinds),
    (error: unknown) => {
      asking = undefined
      throw error
    },
  )
  return asking
}

export function servedKind(kind: string): ServedKind | undefined {
  return served.value?.find((one) => one.kind === kind)
}

/** What a kind is called. One without a title has its name in words. */
export function titleOf({ kind, title }: Pick<ServedKind, 'kind' | 'title'>): string {
  if (title !== kind) return title
  const words = kind.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** What of an answer is Markdown, to be read. */
export function textsOf({ answer: { properties = {} } }: Pick<ServedKind, 'answer'>): readonly string[] {
  return Object.entries(properties).flatMap(([name, { contentMediaType }]) =>
    contentMediaType === 'text/markdown' ? [name] : [],
  )
}
