import type { ExplainedUrl } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { pathIn, readable } from '../lib/address.ts'
import { number, shown } from '../lib/format.ts'
import { isUnreached, readAddresses } from '../lib/job.ts'
import { useAnswer } from '../lib/poll.ts'
import { href } from '../lib/router.ts'
import { Choice } from './choice.tsx'
import { Notice } from './notice.tsx'
import { Empty } from './pieces.tsx'

const signs: Readonly<Record<ExplainedUrl['outcome'], readonly [kind: string, text: string]>> = {
  visited: ['ok', '✓ visited'],
  failed: ['broken', '✕ failed'],
  waiting: ['moved', '● waiting'],
  left: ['none', '○ skipped'],
}
const mostShown = 1_000

/** Each URL that a crawl found, and why it was visited or not. */
export function JobAddresses({ id, isRunning }: { readonly id: string; readonly isRunning: boolean }) {
  const { answer: addresses, refusal } = useAnswer((signal) => readAddresses(id, signal), [id, isRunning])
  const [outcome, setOutcome] = useState<ExplainedUrl['outcome'] | undefined>()
  const [word, setWord] = useState('')
  const [depth, setDepth] = useState('')
  if (refusal) return <Notice refusal={refusal} />
  if (!addresses) return <Empty>Loading…</Empty>
  const groups = Map.groupBy(addresses, (address) => address.outcome)
  const hasRest = addresses.some(isUnreached)
  const depths = [...new Set(addresses.flatMap(({ depth = [] }) => depth))].toSorted((one, other) => one - other)
  const ofOutcome = outcome ? (groups.get(outcome) ?? []) : addresses
  const shownOnes = ofOutcome.filter(
    ({ url, depth: own }) => url.toLowerCase().includes(word.toLowerCase()) && (depth === '' || String(own) === depth),
  )
  return (
    <div class="stack">
      <div class="bar" role="group" aria-label="Which URLs">
        <button type="button" class="small" aria-pressed={!outcome} onClick={() => setOutcome(undefined)}>
          All {number(addresses.length)}
        </button>
        {[...groups].map(([one, all]) => (
          <button type="button" class="small" key={one} aria-pressed={outcome === one} onClick={() => setOutcome(one)}>
            {signs[one][1]} {number(all.length)}
          </button>
        ))}
        <span class="grow" />
        {!isRunning && hasRest && (
          <a class="button small" href={href(['try'], { rest: id })}>
            Scrape the rest
          </a>
        )}
      </div>
      <div class="bar">
        <input
          class="filter"
          type="text"
          aria-label="Filter by URL"
          placeholder="Filter by URL"
          value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
        />
        {depths.length > 1 && (
          <Choice
            label="Depth"
            all="Every depth"
            names={Object.fromEntries(depths.map((one) => [String(one), `Depth ${one}`]))}
            value={depth}
            choose={setDepth}
          />
        )}
      </div>
      {shownOnes.length === 0 && <p class="muted">No URLs match these filters.</p>}
      <div class="flush">
        {shownOnes.slice(0, mostShown).map((address, index) => (
          <div class="row address" key={index}>
            <span class={`sign ${signs[address.outcome][0]}`}>{signs[address.outcome][1]}</span>
            <span>
              <span class="break">{shown(readable(address.url))}</span>
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
