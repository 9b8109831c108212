import type { CostHour } from '@harvestman/client'

import { sumsBy } from '../lib/activity.ts'
import { client } from '../lib/api.ts'
import { counted, duration, number, shown } from '../lib/format.ts'
import { useAnswer } from '../lib/poll.ts'
import { bar, Bars } from './plots.tsx'

/** Credits of the last 24 hours, by hour, by endpoint and by key. */
export function CostsOfDay({ chooseEndpoint }: { readonly chooseEndpoint: (endpoint: string) => void }) {
  const { answer = [] } = useAnswer((signal) => client.activity.costs({ signal }), [])
  if (!answer.some(({ rows }) => rows.length > 0)) return null
  const keys = sumsBy(answer, ({ key }) => key)
  return (
    <div class="pair">
      <div class="card pad">
        <Bars data={byHour(answer)} title="Credits an hour, last 24 hours" unit="credit" />
      </div>
      <div class="card">
        <Sums title="By endpoint" sums={sumsBy(answer, ({ endpoint }) => endpoint)} choose={chooseEndpoint} />
        {keys.length > 0 && <Sums title="By key" sums={keys} />}
      </div>
    </div>
  )
}

function byHour(hours: readonly CostHour[]) {
  return hours.map(({ startDate, rows }) =>
    bar(
      `${String(new Date(startDate).getHours()).padStart(2, '0')}:00`,
      rows.reduce((sum, { credits }) => sum + credits, 0),
    ),
  )
}

interface SumsProps {
  readonly title: string
  readonly sums: ReturnType<typeof sumsBy>
  /** Filters the requests to this name. */
  readonly choose?: (name: string) => void
}

function Sums({ title, sums, choose }: SumsProps) {
  const most = Math.max(1, ...sums.map(({ credits }) => credits))
  return (
    <section class="pad stack" aria-label={`Cost, ${title.toLowerCase()}`}>
      <h2>{title}, last 24 hours</h2>
      <ul class="plain-list sums">
        {sums.slice(0, mostSums).map(({ name, requests, failed, credits, ms }) => (
          <li key={name}>
            <span class="name break">
              {choose ? (
                <button type="button" class="plain small" onClick={() => choose(name)}>
                  {name.replaceAll('_', ' ')}
                </button>
              ) : (
                <span class="mono">{shown(name)}</span>
              )}
            </span>
            <svg viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" aria-hidden="true">
              <rect class="fill-series" width={credits} height={1} />
            </svg>
            <span class="small">
              {counted(credits, 'credit')} · {counted(requests, 'request')}, {duration(ms / Math.max(1, requests))} each
              {failed > 0 && ` · ${number(failed)} failed`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const mostSums = 12
