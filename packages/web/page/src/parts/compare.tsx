import type { JobRow, ListedJob } from '@harvestman/client'
import { useMemo, useState } from 'preact/hooks'

import { pathIn } from '../lib/address.ts'
import { compareRows, type Difference } from '../lib/compare.ts'
import { number, shown, when } from '../lib/format.ts'
import { listJobs } from '../lib/job-list.ts'
import { readRows } from '../lib/job.ts'
import { useAnswer } from '../lib/poll.ts'
import { place, refine } from '../lib/router.ts'
import { Notice } from './notice.tsx'
import { Empty } from './pieces.tsx'
import { VirtualRows } from './virtual-rows.tsx'

export interface CompareProps {
  readonly kind: string
  readonly id: string
  readonly rows: readonly JobRow[]
}

const signs: Readonly<Record<Difference, readonly [kind: string, text: string]>> = {
  added: ['ok', '+ added'],
  gone: ['broken', '− gone'],
  changed: ['moved', '≠ changed'],
  same: ['none', '= same'],
}

/** Compares a job with another run: added, missing and changed pages. */
export function Compare({ kind, id, rows }: CompareProps) {
  const { answer: list, refusal } = useAnswer((signal) => listJobs({ kind, status: '' }, 1, signal), [kind])
  const other = place.value.query.get('with') ?? ''
  if (refusal) return <Notice refusal={refusal} />
  if (!list) return <Empty>Loading…</Empty>
  const others = likest(list.jobs, id)
  if (others.length === 0) return <Empty>There is no other run to compare with yet. Run this job again first.</Empty>
  return (
    <div class="stack">
      <div class="field">
        <label for="compare-with">Compare with</label>
        <span class="hint">Choose another run to see which pages were added, are gone or have changed since.</span>
        <select
          id="compare-with"
          value={other}
          onChange={({ currentTarget: { value } }) =>
            refine(['jobs', kind, id, 'compare'], value === '' ? {} : { with: value })
          }
        >
          <option value="">Choose a run</option>
          {others.map((job) => (
            <option key={job.id} value={job.id}>
              {`${when(job.createdAt)} · ${number(job.completed)} pages · ${shown(job.about ?? job.id)}`}
            </option>
          ))}
        </select>
      </div>
      {other !== '' && <Differences key={other} other={other} rows={rows} />}
    </div>
  )
}

/** Returns all other jobs. Jobs with the same URL or query come first. */
function likest(jobs: readonly ListedJob[], id: string): readonly ListedJob[] {
  const about = jobs.find((job) => job.id === id)?.about
  const isLike = (job: ListedJob): number => Number(job.about === about)
  return jobs.filter((job) => job.id !== id).toSorted((one, other) => isLike(other) - isLike(one))
}

function Differences({ other, rows }: { readonly other: string; readonly rows: readonly JobRow[] }) {
  const { answer: before, refusal } = useAnswer((signal) => readRows(other, signal), [other])
  const [chosen, setChosen] = useState<Difference | undefined>()
  const all = useMemo(() => before && compareRows(before, rows), [before, rows])
  if (refusal) return <Notice refusal={refusal} />
  if (!all) return <Empty>Loading…</Empty>
  const groups = Map.groupBy(all, ({ difference }) => difference)
  const told = chosen ? (groups.get(chosen) ?? []) : all.filter(({ difference }) => difference !== 'same')
  return (
    <>
      <div class="bar" role="group" aria-label="Which pages">
        {(Object.keys(signs) as Difference[]).map((one) => (
          <button
            type="button"
            class="small"
            key={one}
            aria-pressed={chosen === one}
            onClick={() => setChosen(chosen === one ? undefined : one)}
          >
            {signs[one][1]} {number(groups.get(one)?.length ?? 0)}
          </button>
        ))}
      </div>
      {told.length === 0 ? (
        <p class="muted">{chosen ? 'No pages match this filter.' : 'Both runs have the same pages.'}</p>
      ) : (
        <VirtualRows rows={told} label="Differences" kind="compared">
          {({ url, difference, says }) => (
            <>
              <span role="gridcell" class={`sign ${signs[difference][0]}`}>
                {signs[difference][1]}
              </span>
              <span role="gridcell" class="where" title={url}>
                {shown(pathIn(url))}
              </span>
              <span role="gridcell" class="fact where">
                {shown(says)}
              </span>
            </>
          )}
        </VirtualRows>
      )}
    </>
  )
}
