import { useState } from 'preact/hooks'

import { pathIn } from '../lib/address.ts'
import { call } from '../lib/api.ts'
import { bytes as sizeOf, shown } from '../lib/format.ts'
import type { JobRow } from '../lib/job.ts'
import { useAnswer } from '../lib/poll.ts'
import { href, place } from '../lib/router.ts'
import { Notice } from './notice.tsx'
import { Empty, Sign } from './pieces.tsx'
import { Result, type Document } from './result.tsx'

const rowHeight = 44
const beyond = 10

export interface JobPagesProps {
  readonly id: string
  readonly pages: readonly JobRow[]
  readonly isRunning: boolean
  /** The page whose content is shown instead of the list. */
  readonly openPage: string | null
}

/** The pages of a job as they came; each opens to its content. Only the rows in sight are elements. */
export function JobPages({ id, pages, isRunning, openPage }: JobPagesProps) {
  const [top, setTop] = useState(0)
  if (openPage !== null) return <OnePage job={id} id={openPage} />
  if (pages.length === 0) {
    return <Empty>{isRunning ? <span class="pulse">Loading the first pages.</span> : 'No page was kept.'}</Empty>
  }
  const first = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const visible = pages.slice(first, first + Math.ceil(innerHeight / rowHeight) + 2 * beyond)
  return (
    <div
      class="scroller flush"
      tabIndex={0}
      role="grid"
      aria-rowcount={pages.length}
      aria-label="Pages"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div role="presentation" style={{ height: `${first * rowHeight}px` }} />
      {visible.map(({ url, title, status, bytes, id: page }, index) => (
        <div class="row" role="row" aria-rowindex={first + index + 1} key={first + index}>
          <span role="gridcell">
            <Sign status={status} />
          </span>
          <span role="gridcell" class="where">
            <a href={href(place.value.parts.slice(0, 3).concat('pages'), { page: page ?? '' })}>{shown(pathIn(url))}</a>{' '}
            <span class="muted">{shown(title ?? '')}</span>
          </span>
          <span role="gridcell" class="facts">
            {sizeOf(bytes ?? 0)}
          </span>
        </div>
      ))}
      <div
        role="presentation"
        style={{ height: `${Math.max(0, pages.length - first - visible.length) * rowHeight}px` }}
      />
    </div>
  )
}

function OnePage({ job, id }: { readonly job: string; readonly id: string }) {
  const { answer: document, refusal } = useAnswer(
    async (signal) => (await call<{ data: Document }>(`v2/scrape/${encodeURIComponent(id)}`, { signal })).data,
    [id],
  )
  const url = document?.metadata.url ?? document?.metadata.sourceURL
  return (
    <div class="stack">
      <div class="bar">
        <a class="button small" href={href(place.value.parts.slice(0, 3).concat('pages'))}>
          ← All pages
        </a>
        <span class="grow where">{url && shown(url)}</span>
        {url && (
          <a class="button small" href={href(['try'], { again: job, url })}>
            Try it with other options
          </a>
        )}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {document ? <Result key={id} document={document} /> : !refusal && <Empty>Loading…</Empty>}
    </div>
  )
}
