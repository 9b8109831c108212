import { useState } from 'preact/hooks'

import { retryPages } from '../lib/again.ts'
import { refusalOf, type Refusal } from '../lib/api.ts'
import { counted, number, shown } from '../lib/format.ts'
import { canRetry, mayWorkWithOptions, type SortedRows } from '../lib/job.ts'
import type { JobRow } from '@harvestman/client'
import { go, href } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import { Address } from './content.tsx'
import { Notice } from './notice.tsx'
import { Empty } from './pieces.tsx'

/** Number of URLs per cause that are shown at first. */
const firstUrls = 10
const moreUrls = 500
/** Number of causes per section that are shown at first. */
const firstCauses = 50

export interface JobErrorsProps {
  readonly kind: string
  readonly id: string
  readonly rows: SortedRows
  readonly isRunning: boolean
}

/** Each failure as a sentence with its URLs, then pages that were stored with an error status, then skipped URLs. */
export function JobErrors({ id, rows: { wrong, left }, isRunning }: JobErrorsProps) {
  if (wrong.length + left.length === 0) return <Empty>No page failed.</Empty>
  return (
    <div class="stack wide">
      {!isRunning && wrong.length > 0 && <Retry id={id} rows={wrong} />}
      <Failures title="Failed" unit="page" rows={wrong.filter(({ outcome }) => outcome === 'failed')} />
      <Failures
        title="Stored with an error status"
        unit="page"
        rows={wrong.filter(({ outcome }) => outcome !== 'failed')}
      />
      <Failures title="Left out" unit="URL" rows={left} />
    </div>
  )
}

/** Retries the pages for which this may help, as a new batch. Shows how many others there are. */
function Retry({ id, rows }: { readonly id: string; readonly rows: readonly JobRow[] }) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const urls = [...new Set(rows.filter(canRetry).map(({ url }) => url))]
  const never = rows.filter((row) => !canRetry(row)).length
  const start = async (): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const batch = await retryPages(id, urls)
      say(`Retrying ${counted(urls.length, 'page')}`)
      go(['jobs', 'batch', batch])
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setBusy(false)
  }
  return (
    <div class="stack">
      <div class="bar">
        {urls.length > 0 && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void start()}>
            Retry {counted(urls.length, 'page')}
          </button>
        )}
        {rows.some(mayWorkWithOptions) && (
          <a class="button" href={href(['try'], { failed: id })}>
            Retry with other options
          </a>
        )}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {never > 0 && (
        <p class="muted small">
          {urls.length > 0 ? `${counted(never, 'page')} not retried: ` : 'Nothing to retry: '}
          {never === 1 ? 'it' : 'they'} would fail again for the same reason.
        </p>
      )}
    </div>
  )
}

interface FailuresProps {
  readonly title: string
  readonly unit: string
  readonly rows: readonly JobRow[]
}

function Failures({ title, unit, rows }: FailuresProps) {
  const [most, setMost] = useState(firstCauses)
  if (rows.length === 0) return null
  const causes = [...Map.groupBy(rows, causeOf)].toSorted(([, one], [, other]) => other.length - one.length)
  return (
    <section class="stack" aria-label={title}>
      <h2>
        {title} <span class="muted">{number(rows.length)}</span>
      </h2>
      <div class="causes">
        {causes.slice(0, most).map(([cause, all]) => (
          <Cause key={cause} unit={unit} rows={all} />
        ))}
      </div>
      {causes.length > most && (
        <span>
          <button type="button" class="small" onClick={() => setMost(most + firstCauses)}>
            Show more causes ({number(causes.length - most)})
          </button>
        </span>
      )}
    </section>
  )
}

function causeOf(row: JobRow): string {
  return JSON.stringify([sentenceOf(row), codeOf(row), canRetry(row)])
}

function codeOf({ outcome, code }: JobRow): string {
  return outcome === 'visited' ? '' : (code ?? '')
}

function sentenceOf({ outcome, status, code, error = '' }: JobRow): string {
  if (outcome === 'visited') return `The site responded with status ${status}. The response is stored as a page.`
  if (error === '') return 'No reason was recorded.'
  return code === 'ROBOTS_DENIED' ? `${error} Set ignoreRobotsTxt to visit it anyway.` : error
}

/** A cause with its URLs. */
function Cause({ unit, rows }: { readonly unit: string; readonly rows: readonly JobRow[] }) {
  const [most, setMost] = useState(firstUrls)
  const [first] = rows
  if (!first) return null
  const mayHelp = first.outcome !== 'left' && (canRetry(first) ? 'a retry may help' : 'a retry will not help')
  const facts = [codeOf(first), rows.length > 1 && counted(rows.length, unit), mayHelp].filter(Boolean)
  return (
    <div class="cause">
      <p>{shown(sentenceOf(first))}</p>
      <p class="small muted">{shown(facts.join(' · '))}</p>
      <ul class="addresses small">
        {rows.slice(0, most).map(({ url }, index) => (
          <li key={index}>
            <Address url={url} />
          </li>
        ))}
      </ul>
      {rows.length > most && (
        <button type="button" class="small" onClick={() => setMost(most + moreUrls)}>
          {rows.length - most > moreUrls ? `Show ${moreUrls} more` : `Show all ${number(rows.length)}`}
        </button>
      )}
    </div>
  )
}
