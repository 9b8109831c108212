// The recorded actions in order, with the state of the page before and after each.
import type { z } from 'zod'

import type { TaskSecret } from '../browsers.ts'
import type { Digest, heardSchema, outcomeSchema, SeenElement } from '../page/seen.ts'
import type { Step, Target } from '../script/schema.ts'

type PageEvent = Exclude<z.output<typeof heardSchema>, { readonly type: 'leaves' }>
type After = NonNullable<z.output<typeof outcomeSchema>['after']>

/** A recorded action. */
export interface Act {
  readonly type: Step['action']
  readonly id: string
  /** Its tab; absent for the first one. */
  readonly tab?: string | undefined
  readonly target?: SeenElement & Required<Pick<Target, 'place'>>
  readonly value?: string | readonly string[] | undefined
  readonly key?: string | undefined
  /** Destination of a `goto`. */
  readonly url?: string
  readonly isSecret?: boolean | undefined
  /** Name of the task secret that was filled in. */
  readonly secret?: string | undefined
  readonly origin?: string | undefined
  /** The page before this action, and at the next one. */
  readonly page?: Digest
  readonly next?: Digest
  readonly after?: After
  /** Ids of the tabs that it opened and closed. */
  readonly opens?: readonly string[]
  readonly closes?: readonly string[]
}

/**
 * Returns the actions with one more, which a page reported, and the previous one of the same tab completed with its outcome. An
 * `again` event instead replaces the value of the action with its id. `secret` is the task secret being filled in.
 */
export function withEvent(
  acts: readonly Act[],
  tab: Act['tab'],
  event: PageEvent,
  secret?: TaskSecret,
): readonly Act[] {
  const filled = secret && { isSecret: true, secret: secret.name, origin: secret.origin, value: undefined }
  if (event.type === 'again') {
    const { id, value, isSecret } = event
    return acts.map((act) =>
      act.id === id ? { ...act, value, isSecret: act.isSecret === true || isSecret === true, ...filled } : act,
    )
  }
  const { after, page, ...rest } = event
  return [...withOutcome(acts, tab, page, after), { ...rest, tab, page, ...(rest.type === 'fill' && filled) }]
}

/** Returns the actions with the outcome added to the last one. Unchanged if that is of another tab. */
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

/** Returns the actions with an opened tab attributed to the last one in its opener. Unchanged if there is none. */
export function withOpened(acts: readonly Act[], tab: string, opener: Act['tab']): readonly Act[] {
  const at = acts.findLastIndex((act) => act.tab === opener)
  return acts.map((act, index) => (index === at ? { ...act, opens: [...(act.opens ?? []), tab] } : act))
}

/** Returns the actions with a closed tab attributed to the last one. Unchanged if there is none. */
export function withClosed(acts: readonly Act[], tab: string): readonly Act[] {
  return acts.map((act, index) => (index === acts.length - 1 ? { ...act, closes: [...(act.closes ?? []), tab] } : act))
}
