// Checks whether a step had the recorded outcome.
import { z } from 'zod'

import { inspect } from '../page/names.ts'
import type { LivePage } from '../page/live-page.ts'
import { digestSchema, stateSchema, type Digest } from '../page/seen.ts'
import { plainUrl, withoutNumbers } from '../record/address.ts'
import type { Expects } from '../script/schema.ts'

/** Returns whether there is anything to check. */
export const isChecked = (expects: Expects): boolean => Object.keys(expects).length > 0

const nowSchema = z.object({ page: digestSchema, state: stateSchema.nullable() })

interface Checked {
  readonly page: LivePage
  readonly signal: AbortSignal
  /** Redacts secrets in messages. */
  readonly hide: Hide
}

type Hide = (text: string) => string

/**
 * Returns a sentence that describes the first mismatch of a page with the expectations; `undefined` if everything holds.
 * `index` is the element of the step, if it has one. Rejects if the page cannot be read.
 */
export async function describeMismatch(
  expects: Expects,
  index: number | undefined,
  { page, signal, hide }: Checked,
): Promise<string | undefined> {
  const expression = `({ page: ${inspect('digest')}, state: ${index === undefined ? 'null' : `${inspect('state', index)} ?? null`} })`
  const { page: now, state } = await page.see(expression, nowSchema, signal)
  return (
    wrongUrl(expects, now, hide) ??
    (index === undefined ? undefined : wrongState(expects, state, hide)) ??
    missing(expects, now, hide)
  )
}

function wrongUrl({ address }: Expects, { url }: Digest, hide: Hide): string | undefined {
  const now = plainUrl(url)
  return address === undefined || address === now ? undefined : `It led to ${hide(now)} instead of ${hide(address)}.`
}

function wrongState(
  { state, gone, address }: Expects,
  now: z.output<typeof nowSchema>['state'],
  hide: Hide,
): string | undefined {
  // After navigation, the element is gone with its page.
  if (address !== undefined) return undefined
  if (gone === true) return now === null ? undefined : 'The element still exists.'
  if (!state) return undefined
  if (now === null) return 'The element no longer exists.'
  const keys = ['value', 'filled', 'checked', 'selected', 'expanded', 'pressed'] as const
  const odd = keys.find((key) => state[key] !== undefined && state[key] !== now[key])
  if (odd === undefined) return undefined
  const wanted = String(state[odd])
  // The page may have reformatted a secret, so its value cannot be redacted reliably. The message omits it.
  if (hide(wanted) !== wanted) return `The element does not have the ${odd} that it was given.`
  return `The element should have ${odd} ${JSON.stringify(state[odd])} and has ${JSON.stringify(now[odd] ?? null)}.`
}

function missing({ shows = [], controls = [] }: Expects, now: Digest, hide: Hide): string | undefined {
  const shown = new Set([...now.signs.map(withoutNumbers), ...now.texts])
  const text = shows.find((one) => !shown.has(one))
  if (text !== undefined) return `The page does not show ${JSON.stringify(hide(text))}.`
  const control = controls.find((one) => !now.controls.includes(one))
  return control === undefined ? undefined : `The page has no ${hide(control)}.`
}
