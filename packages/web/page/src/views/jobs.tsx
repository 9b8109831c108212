import type { ListedJob } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { readable } from '../lib/address.ts'
import { refusalOf, type Refusal } from '../lib/api.ts'
import { counted, number, shown } from '../lib/format.ts'
import {
  pageKind,
  kindNames,
  listJobs,
  outcomeNames,
  statusNames,
  type JobFilter,
  type JobList,
} from '../lib/job-list.ts'
import { askKinds } from '../lib/kinds.ts'
import { usePoll } from '../lib/poll.ts'
import { href, place } from '../lib/router.ts'
import { Choice } from '../parts/choice.tsx'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { Time } from '../parts/time.tsx'

/** Lists the stored jobs, with the progress of running ones. */
export function JobsView() {
  const [list, setList] = useState<JobList | undefined>()
  const [pages, setPages] = useState(1)
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const filter = filterOfPlace()
  const { kind, status, word } = filter
  usePoll(
    async (signal) => {
      try {
        await askKinds()
        setList(await listJobs(filter, pages, signal))
        setRefusal(undefined)
      } catch (error) {
        if (!signal.aborted) setRefusal(refusalOf(error))
      }
      return true
    },
    2_000,
    [kind, status, pages],
  )
  const isFiltered = `${kind}${status}${word}` !== ''
  const found = list?.jobs.filter(({ about = '', id }) => `${about} ${id}`.toLowerCase().includes(word.toLowerCase()))
  return (
    <>
      <div class="bar">
        <Heading>Jobs</Heading>
        <span class="grow" />
        {(isFiltered || (list && list.jobs.length > 0)) && <Filters filter={filter} />}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {found === undefined && !refusal && <Empty>Loading…</Empty>}
      {found?.length === 0 && !list?.hasMore && <NoJobs isFiltered={isFiltered} />}
      {found && found.length > 0 && (
        <div class="card rows">
          {found.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </div>
      )}
      {list?.hasMore && (
        <div class="bar">
          <button type="button" onClick={() => setPages(pages + 1)}>
            Load older jobs
          </button>
        </div>
      )}
    </>
  )
}

interface WrittenFilter extends JobFilter {
  /** Substring of the URL, query or id. */
  readonly word: string
}

function filterOfPlace(): WrittenFilter {
  const { query } = place.value
  return { kind: query.get('kind') ?? '', status: query.get('status') ?? '', word: query.get('q') ?? '' }
}

function Filters({ filter }: { readonly filter: WrittenFilter }) {
  const set = (part: Partial<WrittenFilter>): void => {
    const { kind, status, word } = { ...filter, ...part }
    const given = Object.entries({ kind, status, q: word }).filter(([, value]) => value !== '')
    location.hash = href(['jobs'], Object.fromEntries(given))
  }
  return (
    <>
      <Choice label="Kind" all="Every kind" names={kindNames()} value={filter.kind} choose={(kind) => set({ kind })} />
      <Choice
        label="State"
        all="Every state"
        names={statusNames}
        value={filter.status}
        choose={(status) => set({ status })}
      />
      <input
        class="filter"
        type="text"
        aria-label="Filter by URL or id"
        placeholder="Filter by URL or id"
        value={filter.word}
        onInput={(event) => set({ word: event.currentTarget.value })}
      />
    </>
  )
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <Empty>
      {isFiltered ? 'No jobs match these filters.' : 'No jobs yet. Crawls, batches and answers appear here.'}
      <a class="button" href={isFiltered ? href(['jobs']) : href(['try'], { request: '{"kind":"crawl"}' })}>
        {isFiltered ? 'Clear the filter' : 'Start a crawl'}
      </a>
    </Empty>
  )
}

const signs: Readonly<Record<ListedJob['outcome'], readonly [kind: string, sign: string]>> = {
  scraping: ['moved', '●'],
  completed: ['ok', '✓'],
  completed_with_failures: ['refused', '!'],
  failed: ['broken', '✕'],
  cancelled: ['none', '○'],
}

function JobRow({ job }: { readonly job: ListedJob }) {
  const { id, kind, about, createdAt, status, outcome, creditsUsed } = job
  const [sign, mark] = signs[outcome]
  const isRunning = status === 'scraping'
  return (
    <a class="row" href={href(['jobs', kind, id])}>
      <span class={`sign ${sign}`} aria-hidden="true">
        {mark}
      </span>
      <span class="where">
        {shown(readable(about ?? id))} <span class="muted">{kindNames()[kind] ?? kind}</span>
      </span>
      <span class="facts columns">
        <span class="count">
          <Pages job={job} />
        </span>
        <span>{counted(creditsUsed, 'credit')}</span>
        <span class={isRunning ? 'pulse' : ''}>{outcomeNames[outcome].toLowerCase()}</span>
        <Time at={createdAt} />
      </span>
    </a>
  )
}

/** The page count of a job. Empty for jobs with a single result. */
function Pages({ job: { kind, status, completed, total, failed } }: { readonly job: ListedJob }) {
  if (!pageKind(kind) && total <= 1) return null
  const isRunning = status === 'scraping'
  return (
    <>
      {isRunning && <progress max={Math.max(total, 1)} value={completed} aria-label="Pages done" />}
      <span>
        {isRunning
          ? `${number(completed)} of ${counted(total, 'page')}`
          : failed > 0
            ? `${number(completed)} of ${counted(total, 'page')}`
            : counted(completed, 'page')}
      </span>
      {failed > 0 && <span class="error">{number(failed)} failed</span>}
    </>
  )
}
