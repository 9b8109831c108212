import { useRef, useState } from 'preact/hooks'

import { call, refusalOf, type Refusal } from '../lib/api.ts'
import { duration, number, shown } from '../lib/format.ts'
import { goesOn, noJob, pathOf, readAll, readOn, type Job } from '../lib/job.ts'
import { useRefusedPoll } from '../lib/poll.ts'
import { makePace, type Pace } from '../lib/rate.ts'
import { go, href, place } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import { JobAddresses } from '../parts/job-addresses.tsx'
import { JobErrors } from '../parts/job-errors.tsx'
import { JobPages } from '../parts/job-pages.tsx'
import { Notice } from '../parts/notice.tsx'
import { later } from '../parts/later.tsx'
import { Heading, Tabs } from '../parts/pieces.tsx'
import { ShareBar } from '../parts/plots.tsx'

const Picture = later(async () => (await import('../parts/picture.tsx')).Picture)

export interface JobProps {
  readonly kind: string
  readonly id: string
  readonly tab: string
}

/** One job: how far it is, its pages, a picture of them, what failed and what was left out. */
export function JobView({ kind, id, tab }: JobProps) {
  const [job, setJob] = useState<Job>(noJob)
  const [pace, setPace] = useState<Pace | undefined>()
  const latest = useRef(noJob)
  const told = useRef<number | undefined>(undefined)
  const measure = useRef(makePace())
  const [refusal, setRefusal] = useRefusedPoll(
    async (signal) => {
      const next = await readOn(kind, id, latest.current, signal)
      latest.current = next
      setJob(next)
      tellQuarters(next, told)
      if (next.status) setPace(measure.current(next.status.completed, next.status.total, performance.now()))
      return goesOn(next)
    },
    [kind, id],
  )
  const { pages, errors, robotsBlocked } = job
  const isRunning = job.status?.status === 'scraping'
  const leftOut = robotsBlocked.length
  return (
    <>
      <Top kind={kind} id={id} job={job} fail={setRefusal} />
      {refusal && <Notice refusal={refusal} />}
      <Facts id={id} job={job} pace={isRunning ? pace : undefined} />
      <div class="card">
        <Tabs
          chosen={tab}
          choose={(next) => go(['jobs', kind, id, next])}
          tabs={[
            {
              id: 'pages',
              label: `Pages ${number(pages.length)}`,
              view: () => (
                <JobPages pages={pages} isRunning={isRunning || !job.status} openPage={place.value.query.get('page')} />
              ),
            },
            { id: 'picture', label: 'Picture', view: () => <Picture pages={pages} errors={errors} /> },
            { id: 'errors', label: errorsLabel(errors.length, leftOut), view: () => <JobErrors job={job} /> },
            ...(kind === 'crawl'
              ? [{ id: 'why', label: 'Every address', view: () => <JobAddresses id={id} isRunning={isRunning} /> }]
              : []),
          ]}
        />
      </div>
    </>
  )
}

function errorsLabel(errors: number, leftOut: number): string {
  return leftOut > 0 ? `Errors ${number(errors)}, left out ${number(leftOut)}` : `Errors ${number(errors)}`
}

interface TopProps {
  readonly kind: string
  readonly id: string
  readonly job: Job
  readonly fail: (refusal: Refusal) => void
}

function Top({ kind, id, job: { status, pages }, fail }: TopProps) {
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await work().catch((error: unknown) => fail(refusalOf(error)))
    setBusy(false)
  }
  const isRunning = status?.status === 'scraping'
  const first = pages[0]?.url
  const host = first !== undefined && URL.canParse(first) ? new URL(first).host : ''
  return (
    <div class="bar">
      <Heading>
        {kind === 'batch' ? 'Many pages' : 'Crawl'} {host && <span class="muted">of {shown(host)}</span>}
      </Heading>
      {status && (
        <span class={`state ${status.status} ${isRunning ? 'pulse' : ''}`}>
          {isRunning ? 'running' : status.status}
        </span>
      )}
      <span class="grow" />
      {isRunning && (
        <button
          type="button"
          disabled={isBusy}
          onClick={() => void attempt(() => call(pathOf(kind, id), { method: 'DELETE' }).then(() => say('Cancelled')))}
        >
          Cancel
        </button>
      )}
      {status && !isRunning && pages.length > 0 && (
        <button type="button" disabled={isBusy} onClick={() => void attempt(() => download(kind, id))}>
          {isBusy ? 'Gathering…' : 'Download'}
        </button>
      )}
      {kind === 'crawl' && (status?.status === 'cancelled' || status?.status === 'failed') && (
        <a class="button" href={href(['jobs', kind, id, 'why'])}>
          What is left
        </a>
      )}
      {status && !isRunning && (
        <a class="button" href={href(['try'], { request: JSON.stringify({ kind, url: first ?? '' }) })}>
          Again
        </a>
      )}
    </div>
  )
}

function Facts({ id, job, pace }: { readonly id: string; readonly job: Job; readonly pace: Pace | undefined }) {
  const { status, pages, errors, robotsBlocked } = job
  if (!status) return null
  const { completed, total, creditsUsed, message, warning } = status
  return (
    <div class="stack">
      <div class="facts-line">
        <span>
          <b>{number(completed)}</b> of {number(total)} pages
        </span>
        {pace && pace.perSecond > 0 && (
          <span>
            <b>{pace.perSecond < 10 ? pace.perSecond.toFixed(1) : Math.round(pace.perSecond)}</b> a second
          </span>
        )}
        {pace?.left !== undefined && (
          <span>
            <b>{duration(Math.max(1_000, pace.left))}</b> left
          </span>
        )}
        {errors.length > 0 && (
          <span>
            <b class="error">{number(errors.length)}</b> failed
          </span>
        )}
        {robotsBlocked.length > 0 && (
          <span>
            <b>{number(robotsBlocked.length)}</b> left out
          </span>
        )}
        <span>
          <b>{number(creditsUsed)}</b> {creditsUsed === 1 ? 'credit' : 'credits'}
        </span>
        <span class="mono id">{id}</span>
      </div>
      <ShareBar pages={pages} failed={errors.length} total={total} />
      {(message ?? warning) && <p class="warning small">{shown(message ?? warning ?? '')}</p>}
    </div>
  )
}

function tellQuarters({ status }: Job, told: { current: number | undefined }): void {
  if (!status || status.total === 0) return
  const isOver = status.status !== 'scraping'
  const quarter = isOver ? 4 : Math.floor((status.completed / status.total) * 4)
  const before = told.current
  told.current = quarter
  // Nothing is told of what was so when the view was opened.
  if (before === undefined || quarter <= before) return
  if (isOver) say(`The job is ${status.status}: ${status.completed} pages`)
  else if (quarter < 4) say(`${quarter * 25} % of the pages`)
}

async function download(kind: string, id: string): Promise<void> {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await readAll(kind, id))
  link.download = `${id}.jsonl`
  link.click()
  // Some browsers read it only after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  say('The documents are in your downloads, a line of JSON each')
}
