import { useEffect, useState } from 'preact/hooks'

import { refusalOf, type Refusal } from '../lib/api.ts'
import { number, shown } from '../lib/format.ts'
import { readAddresses, type MetAddress } from '../lib/job.ts'
import { href } from '../lib/router.ts'
import { pathIn } from './job-pages.tsx'
import { Notice } from './notice.tsx'
import { Empty } from './pieces.tsx'

const signs: Readonly<Record<MetAddress['outcome'], readonly [kind: string, text: string]>> = {
  visited: ['ok', '✓ visited'],
  failed: ['broken', '✕ failed'],
  waiting: ['moved', '● waiting'],
  left: ['none', '○ left out'],
}
const mostShown = 1_000
// The job ended before their turn came.
const unreached = new Set(['ENDED', 'LIMIT'])

/** Each address that a crawl met, and why it was or was not visited. */
export function JobAddresses({ id, isRunning }: { readonly id: string; readonly isRunning: boolean }) {
  const [addresses, setAddresses] = useState<readonly MetAddress[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [outcome, setOutcome] = useState<MetAddress['outcome'] | undefined>()
  useEffect(() => {
    const stop = new AbortController()
    readAddresses(id, stop.signal).then(setAddresses, (error: unknown) => {
      if (!stop.signal.aborted) setRefusal(refusalOf(error))
    })
    return () => stop.abort()
  }, [id, isRunning])
  if (refusal) return <Notice refusal={refusal} />
  if (!addresses) return <Empty>Loading…</Empty>
  const groups = Map.groupBy(addresses, (address) => address.outcome)
  const rest = addresses.filter(({ reason = '' }) => unreached.has(reason))
  const shownOnes = outcome ? (groups.get(outcome) ?? []) : addresses
  return (
    <div class="stack">
      <div class="bar" role="group" aria-label="Which addresses">
        <button type="button" class="small" aria-pressed={!outcome} onClick={() => setOutcome(undefined)}>
          All {number(addresses.length)}
        </button>
        {[...groups].map(([one, all]) => (
          <button type="button" class="small" key={one} aria-pressed={outcome === one} onClick={() => setOutcome(one)}>
            {signs[one][1]} {number(all.length)}
          </button>
        ))}
        <span class="grow" />
        {!isRunning && rest.length > 0 && <Rest urls={rest.map(({ url }) => url)} />}
      </div>
      <div class="flush">
        {shownOnes.slice(0, mostShown).map((address, index) => (
          <div class="row address" key={index}>
            <span class={`sign ${signs[address.outcome][0]}`}>{signs[address.outcome][1]}</span>
            <span>
              <span class="break">{shown(address.url)}</span>
              <br />
              <span class="muted">
                {address.outcome !== 'visited' && `${shown(address.sentence)} `}
                {address.foundOn && `Found on ${shown(pathIn(address.foundOn))}.`}
              </span>
            </span>
            <span class="facts">{address.depth !== undefined && `depth ${address.depth}`}</span>
          </div>
        ))}
      </div>
      {shownOnes.length > mostShown && <p class="small muted">The first {number(mostShown)} are shown.</p>}
    </div>
  )
}

/** What the job did not come to before it ended can be loaded as a batch. */
function Rest({ urls }: { readonly urls: readonly string[] }) {
  const request = JSON.stringify({ kind: 'batch', url: urls.slice(0, mostShown).join('\n') })
  return (
    <a class="button small" href={href(['try'], { request })}>
      Scrape the rest
    </a>
  )
}
