import { useEffect, useState } from 'preact/hooks'

import { call } from './api.ts'
import { requestOf, targetOf, type Draft } from './draft.ts'
import { number } from './format.ts'

/** What a request would cost, before it is sent. */
export interface Cost {
  readonly min: number
  readonly max: number | null
  readonly reasons: readonly { readonly what: string; readonly min: number; readonly max: number | null }[]
}

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

export function costInWords({ min, max }: Pick<Cost, 'min' | 'max'>): string {
  if (max === null) return `${creditsInWords(min)} or more, without a limit`
  return min === max ? creditsInWords(min) : `${creditsInWords(min)} or more, at most ${number(max)}`
}

function creditsInWords(count: number): string {
  return `${number(count)} ${count === 1 ? 'credit' : 'credits'}`
}
