import { shown } from '../lib/format.ts'
import type { Job } from '../lib/job.ts'
import { Address } from './content.tsx'
import { Empty } from './pieces.tsx'

const mostInGroup = 500

/** What failed, grouped by what went wrong, and what robots.txt forbids. */
export function JobErrors({ job: { errors, robotsBlocked } }: { readonly job: Job }) {
  if (errors.length + robotsBlocked.length === 0) return <Empty>Nothing failed.</Empty>
  const groups = [...Map.groupBy(errors, ({ code, error }) => code ?? error)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  return (
    <div class="stack wide">
      {groups.map(([code, all]) => (
        <Group
          key={code}
          title={code}
          about={all[0]?.error ?? ''}
          urls={all.map(({ url }) => url)}
          isOpen={groups.length < 4}
        />
      ))}
      {robotsBlocked.length > 0 && (
        <Group
          title="Left out by robots.txt"
          about="The host asks robots not to visit these. The option ignoreRobotsTxt visits them nevertheless."
          urls={robotsBlocked}
          isOpen={groups.length === 0}
        />
      )}
    </div>
  )
}

interface GroupProps {
  readonly title: string
  readonly about: string
  readonly urls: readonly string[]
  readonly isOpen: boolean
}

function Group({ title, about, urls, isOpen }: GroupProps) {
  return (
    <details class="card" open={isOpen}>
      <summary>
        {shown(title)} <span class="muted small">· {urls.length}</span>
      </summary>
      <div class="pad stack small under">
        <p>{shown(about)}</p>
        <ul class="addresses">
          {urls.slice(0, mostInGroup).map((url, index) => (
            <li key={index}>
              <Address url={url} />
            </li>
          ))}
        </ul>
        {urls.length > mostInGroup && <p class="muted">The first {mostInGroup} are shown.</p>}
      </div>
    </details>
  )
}
