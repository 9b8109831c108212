import { costInWords, limitInWords, useCost } from '../lib/cost.ts'
import type { Draft } from '../lib/draft.ts'
import { shown } from '../lib/format.ts'

/** The price of the request, with its reasons. */
export function CostLine({ draft }: { readonly draft: Draft }) {
  const cost = useCost(draft)
  if (!cost) return <p class="cost small muted">{draft.url.trim() === '' ? '' : ' '}</p>
  return (
    <details class="cost small">
      <summary class="muted">Costs {costInWords(cost)}</summary>
      <ul>
        {cost.reasons.map(({ what, ...part }) => (
          <li key={what}>
            {shown(what)}: {costInWords(part)}
          </li>
        ))}
      </ul>
      {limitInWords(cost) && <p>{limitInWords(cost)}</p>}
    </details>
  )
}
