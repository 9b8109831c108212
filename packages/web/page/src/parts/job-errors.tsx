import { shown } from '../lib/format.ts'
import type { SortedRows } from '../lib/job.ts'
import type { JobRow } from '../lib/job-row.ts'
import { href } from '../lib/router.ts'
import { Address } from './content.tsx'
import { Empty } from './pieces.tsx'

const mostInGroup = 500
/** Sentences that are shown apart in one group; each of the others stands beside its address. */
const mostSentences = 5

export interface JobErrorsProps {
  readonly id: string
  readonly rows: SortedRows
  readonly isRunning: boolean
}

/** What went wrong, grouped by its kind, and what was left out. */
export function JobErrors({ id, rows: { wrong, left }, isRunning }: JobErrorsProps) {
  if (wrong.length + left.length === 0) return <Empty>No page failed.</Empty>
  const groups = [...groupsOf(wrong), ...groupsOf(left)]
  return (
    <div class="stack wide">
      {!isRunning && wrong.length > 0 && (
        <span>
          <a class="button small" href={href(['try'], { failed: id })}>
            Retry only what failed
          </a>
        </span>
      )}
      {groups.map(([title, all]) => (
        <Group key={title} title={title} rows={all} isOpen={groups.length < 4} />
      ))}
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
