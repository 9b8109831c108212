import type { PricePreview } from '@harvestman/client'
import { useEffect, useState } from 'preact/hooks'

import { call } from './api.ts'
import { requestOf, targetOf, type Draft } from './draft.ts'
import { number } from './format.ts'

/** The price of a request before it is sent. */
export type Cost = PricePreview

/** A person stops writing for this long. */
const pause = 400

/** Asks what the request costs as it is now; nothing as long as it is not valid. */
export function useCost(draft: Draft): Cost | undefined {
  const isPriced = draft.url.trim() !== '' && targetOf(draft.kind).as !== 'file'
  const body = isPriced ? JSON.stringify({ kind: draft.kind, request: requestOf(draft) }) : ''
  const [known, setKnown] = useState<{ readonly body: string; readonly cost: Cost } | undefined>()
  useEffect(() => {
    if (body === '') return undefined
    const stop = new AbortController()
    const ask = (): void => {
      call<{ data: Cost }>('v2/team/preview', { method: 'POST', body: JSON.parse(body), signal: stop.signal }).then(
        ({ data: cost }) => setKnown({ body, cost }),
        // What is not right with it is told when it is run.
        () => undefined,
      )
    }
    const timer = setTimeout(ask, pause)
    return () => (clearTimeout(timer), stop.abort())
  }, [body])
  return known?.body === body ? known.cost : undefined
}

/** The expected price where it is known: the limit is far from what a request usually costs. */
export function costInWords({ min, expected, max }: Omit<Cost, 'reasons'>): string {
  if (expected !== undefined && min !== max)
    return expected > min ? `up to ${creditsInWords(expected)}` : creditsInWords(expected)
  if (max === null) return `${creditsInWords(min)} or more, without a limit`
  return min === max ? creditsInWords(min) : `${creditsInWords(min)} or more, at most ${number(max)}`
}

/** Lowest and highest price, where they differ from the expected one. */
export function limitInWords({ min, expected, max }: Omit<Cost, 'reasons'>): string | undefined {
  if (expected === undefined || min === max) return undefined
  return max === null ? 'This price has no limit.' : `At least ${number(min)}, at most ${creditsInWords(max)}.`
}

function creditsInWords(count: number): string {
  return `${number(count)} ${count === 1 ? 'credit' : 'credits'}`
}
