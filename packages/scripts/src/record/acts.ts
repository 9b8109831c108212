// What was heard, in order: each act with how the page was before and after it.
import type { Secret } from '@harvestman/live'
import type { z } from 'zod'

import type { Digest, heardSchema, outcomeSchema, SeenElement } from '../page/seen.ts'
import type { Step, Target } from '../script/schema.ts'

type Told = Exclude<z.output<typeof heardSchema>, { readonly type: 'leaves' }>
type After = NonNullable<z.output<typeof outcomeSchema>['after']>

/** One act. */
export interface Act {
  readonly type: Step['action']
  readonly id: string
  /** The tab that it was done in; absent in the first one. */
  readonly tab?: string | undefined
  readonly target?: SeenElement & Required<Pick<Target, 'place'>>
  readonly value?: string | readonly string[] | undefined
  readonly key?: string | undefined
  /** Where a `goto` led. */
  readonly url?: string
  readonly isSecret?: boolean | undefined
  /** The name of the secret of a task that was filled in. */
  readonly secret?: string | undefined
  readonly origin?: string | undefined
  /** The page before it, and at the next act. */
  readonly page?: Digest
  readonly next?: Digest
  readonly after?: After
  /** The tabs that it has opened, and those that were closed by it. */
  readonly opens?: readonly string[]
  readonly closes?: readonly string[]
}

/** Adds what the page of a tab told. The one before learns what came of it. `secret` is the one that a task fills in. */
export function withTold(acts: readonly Act[], tab: Act['tab'], told: Told, secret?: Secret): readonly Act[] {
  const filled = secret && { isSecret: true, secret: secret.name, origin: secret.origin, value: undefined }
  if (told.type === 'again') {
    const { id, value, isSecret } = told
    return acts.map((act) =>
      act.id === id ? { ...act, value, isSecret: act.isSecret === true || isSecret === true, ...filled } : act,
    )
  }
  const { after, page, ...rest } = told
  return [...withOutcome(acts, tab, page, after), { ...rest, tab, page, ...(rest.type === 'fill' && filled) }]
}

/** The acts with how the last one left the page of its tab. What another tab shows says nothing of it. */
export function withOutcome(
  acts: readonly Act[],
  tab: Act['tab'],
  next: Digest,
  after: After | undefined,
): readonly Act[] {
  const last = acts.at(-1)
  if (!last || last.tab !== tab) return acts
  return [...acts.slice(0, -1), { ...last, next, ...(after?.id === last.id && { after }) }]
}

/** The acts when a tab has opened another: the last act in it did that. */
export function withOpened(acts: readonly Act[], tab: string, opener: Act['tab']): readonly Act[] {
  const at = acts.findLastIndex((act) => act.tab === opener)
  return acts.map((act, index) => (index === at ? { ...act, opens: [...(act.opens ?? []), tab] } : act))
}

/** The acts when a page has closed a tab: the last act did that. */
export function withClosed(acts: readonly Act[], tab: string): readonly Act[] {
  return acts.map((act, index) => (index === acts.length - 1 ? { ...act, closes: [...(act.closes ?? []), tab] } : act))
}
