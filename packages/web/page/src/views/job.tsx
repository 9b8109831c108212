import { useRef, useState } from 'preact/hooks'

import { addressOf, call, refusalOf, type Refusal } from '../lib/api.ts'
import { bytes, number, shown } from '../lib/format.ts'
import { goesOn, noJob, pathOf, readOn, type Job, type PageRow } from '../lib/job.ts'
import { usePoll } from '../lib/poll.ts'
import { go, href, place } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import { Code, Empty, Heading, Notice, Sign, Tabs } from '../parts/pieces.tsx'
import { Picture } from '../parts/picture.tsx'
import { ShareBar } from '../parts/plots.tsx'

export interface JobProps {
  readonly kind: string
  readonly id: string
  readonly tab: string
}

/** One job: how far it is, its pages, a picture of them, what failed and what was left out. */
export function JobView({ kind, id, tab }: JobProps) {
  const [job, setJob] = useState<Job>(noJob)
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const latest = useRef(noJob)
  const told = useRef(0)
  usePoll(
    async (signal) => {
      try {
        const next = await readOn(kind, id, latest.current, signal)
        latest.current = next
        setJob(next)
        setRefusal(undefined)
        tellQuarters(next, told)
        return goesOn(next)
      } catch (error) {
        if (signal.aborted) return false
        const found = refusalOf(error)
        setRefusal(found)
        return found.status === 0 || found.status >= 500
      }
    },
    1_000,
    [kind, id],
  )
  const { status, pages, errors, robotsBlocked } = job
  const isRunning = status?.status === 'scraping'
  const cancel = async (): Promise<void> => {
    try {
      await call(pathOf(kind, id), { method: 'DELETE' })
      say('Cancelled')
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  const failed = errors.length + robotsBlocked.length
  return (
    <>
      <div class="bar">
        <Heading>
          {kind === 'batch' ? 'Many pages' : 'Crawl'}{' '}
          <span class="muted">{shown(pages[0] ? new URL(pages[0].url, location.href).host : '')}</span>
        </Heading>
        <span class={isRunning ? 'pulse' : 'muted'}>{status?.status === 'scraping' ? 'running' : status?.status}</span>
        <span class="grow" />
        {isRunning && (
          <button type="button" onClick={() => void cancel()}>
            Cancel
          </button>
        )}
        {status && !isRunning && (
          <button type="button" onClick={() => void download(kind, id)}>
            Download
          </button>
        )}
        {!isRunning && status && (
          <a class="button" href={href(['try'], { request: JSON.stringify({ kind, url: pages[0]?.url ?? '' }) })}>
            Again
          </a>
        )}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {status && (
        <div class="stack">
          <div class="facts-line">
            <span>
              <b>{number(status.completed)}</b> of {number(status.total)} pages
            </span>
            <span>
              <b>{number(failed)}</b> failed
            </span>
            <span>
              <b>{number(status.creditsUsed)}</b> credits
            </span>
            <span class="mono">{id}</span>
          </div>
          <ShareBar pages={pages} failed={failed} total={status.total} />
          {(status.message ?? status.warning) && <p>{shown(status.message ?? status.warning ?? '')}</p>}
        </div>
      )}
      <div class="card">
        <Tabs
          chosen={tab}
          choose={(next) => go(['jobs', kind, id, next], Object.fromEntries(place.value.query))}
          tabs={[
            { id: 'pages', label: `Pages ${pages.length}`, view: () => <Pages pages={pages} isRunning={isRunning} /> },
            { id: 'picture', label: 'Picture', view: () => <Picture pages={pages} errors={errors} /> },
            { id: 'errors', label: `Errors ${failed}`, view: () => <Errors job={job} /> },
            ...(kind === 'crawl' ? [{ id: 'why', label: 'Every address', view: () => <Addresses id={id} /> }] : []),
          ]}
        />
      </div>
    </>
  )
}

function tellQuarters({ status }: Job, told: { current: number }): void {
  if (!status || status.total === 0) return
  const quarter = status.status === 'scraping' ? Math.floor((status.completed / status.total) * 4) : 4
  if (quarter <= told.current) return
  told.current = quarter
  say(quarter === 4 ? `The job is ${status.status}: ${status.completed} pages` : `${quarter * 25} % of the pages`)
}

async function download(kind: string, id: string): Promise<void> {
  const documents: unknown[] = []
  for (let skip = 0; ;) {
    const { data = [] } = await call<{ data?: unknown[] }>(`${pathOf(kind, id)}?skip=${skip}&limit=200`)
    documents.push(...data)
    skip += data.length
    if (data.length === 0) break
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(
    new Blob(
      documents.map((one) => `${JSON.stringify(one)}\n`),
      { type: 'application/jsonl' },
    ),
  )
  link.download = `${id}.jsonl`
  link.click()
  URL.revokeObjectURL(link.href)
}

const rowHeight = 44
const beyond = 10

/** Only the rows in sight are elements, however many pages there are. */
function Pages({ pages, isRunning }: { readonly pages: readonly PageRow[]; readonly isRunning: boolean }) {
  const [top, setTop] = useState(0)
  if (pages.length === 0)
    return (
      <Empty>{isRunning ? <span class="pulse">The first pages are on their way.</span> : 'No page was kept.'}</Empty>
    )
  const first = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const visible = pages.slice(first, first + Math.ceil(innerHeight / rowHeight) + 2 * beyond)
  return (
    <div
      class="scroller"
      tabIndex={0}
      role="grid"
      aria-rowcount={pages.length}
      aria-label="Pages"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div role="presentation" style={{ height: first * rowHeight }} />
      {visible.map(({ url, title, status, size }, index) => (
        <div class="row" role="row" aria-rowindex={first + index + 1} key={first + index}>
          <span role="gridcell">
            <Sign status={status} />
          </span>
          <span role="gridcell" class="where">
            <a href={href(['try'], { request: JSON.stringify({ kind: 'scrape', url }) })}>{shown(pathIn(url))}</a>{' '}
            <span class="muted">{shown(title)}</span>
          </span>
          <span role="gridcell" class="facts">
            {bytes(size)}
          </span>
        </div>
      ))}
      <div role="presentation" style={{ height: Math.max(0, pages.length - first - visible.length) * rowHeight }} />
    </div>
  )
}

function pathIn(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

function Errors({ job: { errors, robotsBlocked } }: { readonly job: Job }) {
  if (errors.length + robotsBlocked.length === 0) return <Empty>Nothing failed.</Empty>
  const groups = [...Map.groupBy(errors, ({ code, error }) => code ?? error)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  return (
    <div class="stack wide">
      {groups.map(([code, all]) => (
        <details key={code} class="card" open={groups.length < 4}>
          <summary>
            {code} <span class="muted small">· {all.length}</span>
          </summary>
          <div class="pad stack small">
            <p>{shown(all[0]?.error ?? '')}</p>
            <ul>
              {all.slice(0, 200).map(({ id, url }) => (
                <li key={id}>{shown(url)}</li>
              ))}
            </ul>
          </div>
        </details>
      ))}
      {robotsBlocked.length > 0 && (
        <details class="card">
          <summary>
            Left out by robots.txt <span class="muted small">· {robotsBlocked.length}</span>
          </summary>
          <ul class="small">
            {robotsBlocked.slice(0, 500).map((url) => (
              <li key={url}>{shown(url)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** Each address that was met, and why it was or was not visited: a line of JSON each. */
function Addresses({ id }: { readonly id: string }) {
  const [text, setText] = useState<string | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const ask = async (): Promise<void> => {
    try {
      const response = await fetch(addressOf(`${pathOf('crawl', id)}/explain`), { headers: { 'x-harvestman-ui': '1' } })
      setText(await response.text())
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  if (refusal) return <Notice refusal={refusal} retry={() => void ask()} />
  if (text === undefined) {
    return (
      <Empty>
        Every address that was met, and why it was or was not visited.
        <button type="button" onClick={() => void ask()}>
          Show
        </button>
      </Empty>
    )
  }
  return <Code text={text} name="addresses" />
}
