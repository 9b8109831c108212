import { useMemo, useRef, useState } from 'preact/hooks'

import { refusalOf, type Refusal } from '../lib/api.ts'
import { counted, duration, number, shown } from '../lib/format.ts'
import { addressIn } from '../lib/address.ts'
import { jobOf, noJob, readOn, sortRows, type Job, type SortedRows } from '../lib/job.ts'
import { outcomeNames, pageKind } from '../lib/job-list.ts'
import { useRefusedPoll } from '../lib/poll.ts'
import { makePace, type Pace } from '../lib/rate.ts'
import { go, href, place } from '../lib/router.ts'
import { say, sayCancelled } from '../lib/say.ts'
import { Download } from '../parts/download.tsx'
import { JobAddresses } from '../parts/job-addresses.tsx'
import { JobErrors } from '../parts/job-errors.tsx'
import { JobPages } from '../parts/job-pages.tsx'
import { Notice } from '../parts/notice.tsx'
import { later } from '../parts/later.tsx'
import { Back, Heading, Tabs } from '../parts/pieces.tsx'
import { ShareBar } from '../parts/plots.tsx'

const Compare = later(async () => (await import('../parts/compare.tsx')).Compare)
const Picture = later(async () => (await import('../parts/picture.tsx')).Picture)

export interface JobProps {
  readonly kind: string
  readonly id: string
  /** The selected tab. Default: the failures of a job that ended without a page, else its pages. */
  readonly tab: string | undefined
}

/** Shows one job: progress, pages, a chart of them, failures and skipped URLs. */
export function JobView({ kind, id, tab }: JobProps) {
  const [job, setJob] = useState<Job>(noJob)
  const [pace, setPace] = useState<Pace | undefined>()
  const latest = useRef(noJob)
  const told = useRef<number | undefined>(undefined)
  const measure = useRef(makePace())
  const [refusal, setRefusal] = useRefusedPoll(
    (signal) =>
      readOn(id, latest.current, signal, (next) => {
        latest.current = next
        setJob(next)
        tellQuarters(next, told)
        const { completed = 0, total = 0 } = next.standing ?? {}
        setPace(measure.current(completed, total, performance.now()))
      }),
    [id],
  )
  const rows = useMemo(() => sortRows(job.rows), [job.rows])
  const isRunning = job.standing?.status === 'scraping'
  return (
    <>
      <Back to="jobs">All jobs</Back>
      <Top kind={kind} id={id} job={job} fail={setRefusal} />
      {refusal && <Notice refusal={refusal} />}
      <Facts kind={kind} id={id} job={job} rows={rows} pace={isRunning ? pace : undefined} />
      {(job.standing || !refusal) && (
        <div class="card">
          <Tabs
            chosen={tab ?? (rows.visited.length === 0 && rows.failed > 0 && !isRunning ? 'errors' : 'pages')}
            choose={(next) => go(['jobs', kind, id, next])}
            tabs={[
              {
                id: 'pages',
                label: `Pages ${number(rows.visited.length)}`,
                view: () => (
                  <JobPages
                    id={id}
                    pages={rows.visited}
                    isRunning={isRunning || !job.standing}
                    openPage={place.value.query.get('page')}
                  />
                ),
              },
              { id: 'picture', label: 'Picture', view: () => <Picture pages={rows.tried} /> },
              {
                id: 'errors',
                label: errorsLabel(rows),
                view: () => <JobErrors kind={kind} id={id} rows={rows} isRunning={isRunning} />,
              },
              ...(pageKind(kind)?.explains
                ? [{ id: 'why', label: 'All URLs', view: () => <JobAddresses id={id} isRunning={isRunning} /> }]
                : []),
              { id: 'compare', label: 'Compare', view: () => <Compare kind={kind} id={id} rows={job.rows} /> },
            ]}
          />
        </div>
      )}
    </>
  )
}

/**
 * The count equals the one in the facts line and the job list: pages with an error status are stored, so they are not failures.
 */
function errorsLabel({ failed, wrong, left }: SortedRows): string {
  const label = failed === 0 && wrong.length > 0 ? `Error status ${number(wrong.length)}` : `Failed ${number(failed)}`
  return left.length > 0 ? `${label}, left out ${number(left.length)}` : label
}

interface TopProps {
  readonly kind: string
  readonly id: string
  readonly job: Job
  readonly fail: (refusal: Refusal) => void
}

function Top({ kind, id, job: { standing, rows }, fail }: TopProps) {
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await work().catch((error: unknown) => fail(refusalOf(error)))
    setBusy(false)
  }
  const { status, outcome, completed = 0, total = 0, about } = standing ?? {}
  const isRunning = status === 'scraping'
  const hosts = new Set(rows.flatMap(({ url }) => addressIn(url)?.host ?? []))
  const [host] = hosts
  const subject = pageKind(kind)?.explains
    ? (addressIn(about) ?? addressIn(rows[0]?.url))?.host
    : batchSubject(hosts.size, host)
  return (
    <div class="bar">
      <Heading>
        {pageKind(kind)?.explains ? pageKind(kind)?.name : batchName(total)}{' '}
        {subject && <span class="muted">of {shown(subject)}</span>}
      </Heading>
      {outcome && (
        <span class={`state ${outcome} ${isRunning ? 'pulse' : ''}`}>{outcomeNames[outcome].toLowerCase()}</span>
      )}
      <span class="grow" />
      {isRunning && (
        <button
          type="button"
          disabled={isBusy}
          onClick={() => void attempt(() => jobOf(kind, id).cancel().then(sayCancelled))}
        >
          Cancel
        </button>
      )}
      {status && !isRunning && completed > 0 && <Download kind={kind} id={id} fail={fail} />}
      {pageKind(kind)?.explains && (status === 'cancelled' || status === 'failed') && (
        <a class="button" href={href(['jobs', kind, id, 'why'])}>
          What is left
        </a>
      )}
      {status && !isRunning && (
        <a class="button" href={href(['try'], { again: id })}>
          Run again
        </a>
      )}
    </div>
  )
}

function batchName(total: number): string {
  return total > 0 ? `Batch of ${counted(total, 'page')}` : 'Batch'
}

function batchSubject(hosts: number, host: string | undefined): string | undefined {
  return hosts > 1 ? `${number(hosts)} sites` : host
}

interface FactsProps {
  readonly kind: string
  readonly id: string
  readonly job: Job
  readonly rows: SortedRows
  readonly pace: Pace | undefined
}

function Facts({ kind, id, job: { standing }, rows, pace }: FactsProps) {
  if (!standing) return null
  const { completed, failed, total, creditsUsed, error } = standing
  const rate = pace && (pace.perSecond < 10 ? pace.perSecond.toFixed(1) : Math.round(pace.perSecond))
  const left = pace?.left !== undefined && duration(Math.max(1_000, pace.left))
  return (
    <div class="stack">
      <div class="facts-line">
        <span>
          <b>{number(completed)}</b> of {number(total)} pages
        </span>
        {pace && pace.perSecond > 0 && <Count value={rate} what="a second" />}
        {left && <Count value={left} what="left" />}
        {failed > 0 && (
          <a class="quiet" href={href(['jobs', kind, id, 'errors'])}>
            <Count value={number(failed)} what="failed" kind="error" />
          </a>
        )}
        {rows.left.length > 0 && <Count value={number(rows.left.length)} what="left out" />}
        <Count value={number(creditsUsed)} what={creditsUsed === 1 ? 'credit' : 'credits'} />
        <span class="mono id">{id}</span>
      </div>
      <ShareBar pages={rows.tried} total={total} />
      {error && <p class="warning small">{shown(error)}</p>}
    </div>
  )
}

interface CountProps {
  readonly value: string | number | undefined
  readonly what: string
  readonly kind?: string
}

function Count({ value, what, kind }: CountProps) {
  return (
    <span>
      <b class={kind}>{value}</b> {what}
    </span>
  )
}

function tellQuarters({ standing: status }: Job, told: { current: number | undefined }): void {
  if (!status || status.total === 0) return
  const isOver = status.status !== 'scraping'
  const quarter = isOver ? 4 : Math.floor((status.completed / status.total) * 4)
  const before = told.current
  told.current = quarter
  // Do not announce the state that the view opened with.
  if (before === undefined || quarter <= before) return
  if (isOver) say(`${outcomeNames[status.outcome]}: ${status.completed} of ${counted(status.total, 'page')}`)
  else if (quarter < 4) say(`${quarter * 25} % of the pages`)
}
