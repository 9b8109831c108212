import type { PricePreview } from '@harvestman/client'
import { useEffect, useState } from 'preact/hooks'

import { client } from './api.ts'
import { requestOf, targetOf, type Draft } from './draft.ts'
import { number } from './format.ts'

/** The price of a request before it is sent. */
export type Cost = PricePreview

/** Debounce interval in milliseconds. */
const pause = 400

/** Returns the price of the current request; `undefined` while it is invalid or loading. */
export function useCost(draft: Draft): Cost | undefined {
  const isPriced = draft.url.trim() !== '' && targetOf(draft.kind).as !== 'file'
  const body = isPriced ? JSON.stringify({ kind: draft.kind, request: requestOf(draft) }) : ''
  const [known, setKnown] = useState<{ readonly body: string; readonly cost: Cost } | undefined>()
  useEffect(() => {
    if (body === '') return undefined
    const stop = new AbortController()
    const ask = (): void => {
      client.team.preview(JSON.parse(body), { signal: stop.signal }).then(
        (cost) => setKnown({ body, cost }),
        // Errors are shown when the request is run.
        () => undefined,
      )
    }
    const timer = setTimeout(ask, pause)
    return () => (clearTimeout(timer), stop.abort())
  }, [body])
  return known?.body === body ? known.cost : undefined
}

/**
 * Formats the expected price if there is one, since the limit is far from the usual price. Otherwise formats the
 * minimum and the maximum, which is null without a limit.
 */
export function costInWords({ min, expected, max }: Omit<Cost, 'reasons'>): string {
  if (expected !== undefined && min !== max)
    return expected > min ? `up to ${creditsInWords(expected)}` : creditsInWords(expected)
  if (max === null) return `${creditsInWords(min)} or more, without a limit`
  return min === max ? creditsInWords(min) : `${creditsInWords(min)} or more, at most ${number(max)}`
}

/** Formats the minimum and maximum price if they differ from the expected one. Otherwise returns `undefined`. */
export function limitInWords({ min, expected, max }: Omit<Cost, 'reasons'>): string | undefined {
  if (expected === undefined || min === max) return undefined
  return max === null ? 'This price has no limit.' : `At least ${number(min)}, at most ${creditsInWords(max)}.`
}

function creditsInWords(count: number): string {
  return `${number(count)} ${count === 1 ? 'credit' : 'credits'}`
}
