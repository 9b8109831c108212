import { useState } from 'preact/hooks'

import { refusalOf, type Refusal } from '../lib/api.ts'
import { number, shown, when } from '../lib/format.ts'
import { listJobs, type ListedJob, type Standing } from '../lib/job-list.ts'
import { usePoll } from '../lib/poll.ts'
import { href, place } from '../lib/router.ts'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'

/** Crawls and batches of the last day, those that run with how far they are. */
export function JobsView() {
  const [jobs, setJobs] = useState<readonly ListedJob[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const word = place.value.query.get('q') ?? ''
  usePoll(
    async (signal) => {
      try {
        setJobs(await listJobs(signal))
        setRefusal(undefined)
      } catch (error) {
        if (!signal.aborted) setRefusal(refusalOf(error))
      }
      return true
    },
    2_000,
    [],
  )
  const found = jobs?.filter(({ url, id }) => `${url} ${id}`.toLowerCase().includes(word.toLowerCase()))
  return (
    <>
      <div class="bar">
        <Heading>Jobs</Heading>
        <span class="grow" />
        {jobs && jobs.length > 0 && (
          <input
            class="filter"
            type="text"
            aria-label="Filter by address or id"
            placeholder="Filter by address or id"
            value={word}
            onInput={(event) =>
              (location.hash = href(['jobs'], event.currentTarget.value ? { q: event.currentTarget.value } : {}))
            }
          />
        )}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {jobs === undefined && !refusal && <Empty>Loading…</Empty>}
      {found?.length === 0 && (
        <Empty>
          {word
            ? 'No job has this in its address or id.'
            : 'No jobs in the last day. A crawl or a batch shows up here.'}
          <a class="button" href={word ? href(['jobs']) : href(['try'], { request: '{"kind":"crawl"}' })}>
            {word ? 'Clear the filter' : 'Start a crawl'}
          </a>
        </Empty>
      )}
      {found && found.length > 0 && (
        <div class="card rows">
          {found.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </div>
      )}
    </>
  )
}

const words: Readonly<Record<string, string>> = { scraping: 'running' }
const signs: Readonly<Record<string, readonly [kind: string, sign: string]>> = {
  scraping: ['moved', '●'],
  completed: ['ok', '✓'],
  failed: ['broken', '✕'],
  cancelled: ['none', '○'],
}

function JobRow({ job: { id, kind, url, at, standing } }: { readonly job: ListedJob }) {
  const [sign, mark] = (standing && signs[standing.status]) ?? ['none', '·']
  return (
    <a class="row" href={href(['jobs', kind, id])}>
      <span class={`sign ${sign}`} aria-hidden="true">
        {mark}
      </span>
      <span class="where">
        {shown(url || id)} <span class="muted">{kind}</span>
      </span>
      <span class="facts">
        {standing && <Progress standing={standing} />}
        <span>{when(at)}</span>
      </span>
    </a>
  )
}

function Progress({ standing: { status, completed, total, creditsUsed } }: { readonly standing: Standing }) {
  const isRunning = status === 'scraping'
  return (
    <>
      {isRunning && <progress max={Math.max(total, 1)} value={completed} aria-label="Pages done" />}
      <span>
        {isRunning ? `${number(completed)} of ${number(total)}` : number(completed)}{' '}
        {completed === 1 ? 'page' : 'pages'}
      </span>
      <span>{number(creditsUsed)} cr</span>
      <span class={isRunning ? 'pulse' : ''}>{words[status] ?? status}</span>
    </>
  )
}
