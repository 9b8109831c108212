// What was heard, in order: each act with how the page was before and after it.
import type { z } from 'zod'

import type { Digest, heardSchema, outcomeSchema, SeenElement } from '../page/seen.ts'
import type { Step, Target } from '../script/schema.ts'

type Told = z.output<typeof heardSchema>
type After = NonNullable<z.output<typeof outcomeSchema>['after']>

/** One act. */
export interface Act {
  readonly type: Step['action']
  readonly id: string
  readonly target?: SeenElement & Required<Pick<Target, 'place'>>
  readonly value?: string | readonly string[] | undefined
  readonly key?: string | undefined
  /** Where a `goto` led. */
  readonly url?: string
  readonly isSecret?: boolean | undefined
  readonly origin?: string | undefined
  /** The page before it, and at the next act. */
  readonly page?: Digest
  readonly next?: Digest
  readonly after?: After
}

/** Adds what the page told. The one before learns what came of it. */
export function withTold(acts: readonly Act[], told: Told): readonly Act[] {
  if (told.type === 'again') {
    const { id, value, isSecret } = told
    return acts.map((act) =>
      act.id === id ? { ...act, value, isSecret: act.isSecret === true || isSecret === true } : act,
    )
  }
  const { after, page, ...rest } = told
  return [...withOutcome(acts, page, after), { ...rest, page }]
}

/** The acts with how the last one left the page. */
export function withOutcome(acts: readonly Act[], next: Digest, after: After | undefined): readonly Act[] {
  const last = acts.at(-1)
  if (!last) return acts
  return [...acts.slice(0, -1), { ...last, next, ...(after?.id === last.id && { after }) }]
}
