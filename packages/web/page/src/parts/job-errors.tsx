import { useState } from 'preact/hooks'

import { retryPages } from '../lib/again.ts'
import { refusalOf, type Refusal } from '../lib/api.ts'
import { counted, shown } from '../lib/format.ts'
import { canRetry, type SortedRows } from '../lib/job.ts'
import type { JobRow } from '../lib/job-row.ts'
import { go, href } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import { Address } from './content.tsx'
import { Notice } from './notice.tsx'
import { Empty } from './pieces.tsx'

const mostInGroup = 500
/** Sentences that are shown apart in one group; each of the others stands beside its address. */
const mostSentences = 5

export interface JobErrorsProps {
  readonly kind: string
  readonly id: string
  readonly rows: SortedRows
  readonly isRunning: boolean
}

/** What failed, grouped by cause, then pages that were stored with an error status, and what was left out. */
export function JobErrors({ id, rows: { wrong, left }, isRunning }: JobErrorsProps) {
  if (wrong.length + left.length === 0) return <Empty>No page failed.</Empty>
  const failed = wrong.filter(({ outcome }) => outcome === 'failed')
  const stored = wrong.filter(({ outcome }) => outcome !== 'failed')
  const groups = [...groupsOf(failed), ...groupsOf(stored), ...groupsOf(left)]
  return (
    <div class="stack wide">
      {!isRunning && wrong.length > 0 && <Retry id={id} rows={wrong} />}
      {groups.map(([title, all]) => (
        <Group key={title} title={title} rows={all} isOpen={all[0]?.outcome === 'failed' || groups.length < 4} />
      ))}
    </div>
  )
}

/** Starts a batch of the pages that may work at another try, and names those that cannot. */
function Retry({ id, rows }: { readonly id: string; readonly rows: readonly JobRow[] }) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [again, never] = [rows.filter(canRetry), rows.filter((row) => !canRetry(row))]
  const urls = [...new Set(again.map(({ url }) => url))]
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
        <a class="button" href={href(['try'], { failed: id })}>
          Change the options
        </a>
      </div>
      {refusal && <Notice refusal={refusal} />}
      {never.length > 0 && (
        <p class="muted small">
          {urls.length > 0 ? 'Left out of a retry' : 'Nothing to retry'}:{' '}
          {groupsOf(never)
            .map(([title, all]) => `${counted(all.length, 'page')} (${shown(title)})`)
            .join(', ')}
          . Another try would end the same way.
        </p>
      )}
    </div>
  )
}

function groupsOf(rows: readonly JobRow[]): readonly (readonly [string, readonly JobRow[]])[] {
  return [...Map.groupBy(rows, titleOf)].toSorted(([, a], [, b]) => b.length - a.length)
}

function titleOf({ outcome, status, code, error = '' }: JobRow): string {
  if (outcome === 'visited') return `Answered ${status}`
  if (outcome === 'left') return `Left out: ${code ?? error}`
  return code ?? error
}

const keptAnyhow = 'The site returned this status. Its response is stored as a page.'
const robots = 'Set ignoreRobotsTxt to visit it anyway.'

function sentenceOf({ outcome, code, error = '' }: JobRow): string {
  if (outcome === 'visited') return keptAnyhow
  return code === 'ROBOTS_DENIED' ? `${error} ${robots}` : error
}

interface GroupProps {
  readonly title: string
  readonly rows: readonly JobRow[]
  readonly isOpen: boolean
}

/** One kind of failure may have many causes: each says its own. */
function Group({ title, rows, isOpen }: GroupProps) {
  const causes = [...Map.groupBy(rows, sentenceOf)]
  const visible = rows.slice(0, mostInGroup)
  return (
    <details class="card" open={isOpen}>
      <summary>
        {shown(title)} <span class="muted small">· {rows.length}</span>
      </summary>
      <div class="pad stack small under">
        {causes.length > mostSentences ? (
          <Failed rows={visible} isTold />
        ) : (
          causes.map(([sentence, all]) => (
            <div class="stack" key={sentence}>
              <p>{shown(sentence)}</p>
              <Failed rows={all.slice(0, mostInGroup)} />
            </div>
          ))
        )}
        {rows.length > mostInGroup && <p class="muted">Only the first {mostInGroup} of each cause are shown.</p>}
      </div>
    </details>
  )
}

function Failed({ rows, isTold = false }: { readonly rows: readonly JobRow[]; readonly isTold?: boolean }) {
  return (
    <ul class="addresses">
      {rows.map((row, index) => (
        <li key={index}>
          <Address url={row.url} /> {isTold && <span class="muted">{shown(sentenceOf(row))}</span>}
        </li>
      ))}
    </ul>
  )
}
