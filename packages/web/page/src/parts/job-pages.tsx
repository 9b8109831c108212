import { useMemo } from 'preact/hooks'

import { pathIn } from '../lib/address.ts'
import { client } from '../lib/api.ts'
import { bytes as sizeOf, number, shown } from '../lib/format.ts'
import type { JobRow } from '@harvestman/client'
import { kindNames, queryOfRows, rowsOf, rowViewOf, sortNames, type RowView, type SortKey } from '../lib/job-rows.ts'
import { useAnswer } from '../lib/poll.ts'
import { href, place, refine } from '../lib/router.ts'
import { Choice } from './choice.tsx'
import { Notice } from './notice.tsx'
import { Empty, Sign } from './pieces.tsx'
import { Result } from './result.tsx'
import { Time } from './time.tsx'
import { VirtualRows } from './virtual-rows.tsx'

export interface JobPagesProps {
  readonly id: string
  readonly pages: readonly JobRow[]
  readonly isRunning: boolean
  /** The id of the page whose content is shown instead of the list. */
  readonly openPage: string | null
}

/** The pages of a job, with filters and sorting. Each opens its content. */
export function JobPages({ id, pages, isRunning, openPage }: JobPagesProps) {
  const view = rowViewOf(place.value.query)
  const { word, kind, sort, isDown } = view
  const rows = useMemo(() => rowsOf(pages, view), [pages, word, kind, sort, isDown])
  if (openPage !== null) return <OnePage job={id} id={openPage} />
  if (pages.length === 0) {
    return <Empty>{isRunning ? <span class="pulse">Loading the first pages…</span> : 'This job has no pages.'}</Empty>
  }
  return (
    <div class="stack">
      <Filters view={view} count={rows.length} all={pages.length} />
      {rows.length === 0 ? (
        <p class="muted">No pages match these filters.</p>
      ) : (
        <VirtualRows rows={rows} label="Pages" kind="pages" head={<Head view={view} />}>
          {({ url, title, status, bytes, credits, at, id: page }) => (
            <>
              <span role="gridcell">
                <Sign status={status} />
              </span>
              <span role="gridcell" class="where">
                <a href={href(here(), { ...queryOfRows(view), page: page ?? '' })}>{shown(pathIn(url))}</a>{' '}
                <span class="muted">{shown(title ?? '')}</span>
              </span>
              <span role="gridcell" class="fact">
                {sizeOf(bytes ?? 0)}
              </span>
              <span role="gridcell" class="fact beside">
                {credits === undefined ? '' : number(credits)}
              </span>
              <span role="gridcell" class="fact beside">
                {at !== undefined && <Time at={at} />}
              </span>
            </>
          )}
        </VirtualRows>
      )}
    </div>
  )
}

function here(): readonly string[] {
  return place.value.parts.slice(0, 3).concat('pages')
}

function show(view: RowView): void {
  refine(here(), queryOfRows(view))
}

function Filters({ view, count, all }: { readonly view: RowView; readonly count: number; readonly all: number }) {
  return (
    <div class="bar">
      <input
        class="filter"
        type="text"
        aria-label="Filter by URL or title"
        placeholder="Filter by URL or title"
        value={view.word}
        onInput={(event) => show({ ...view, word: event.currentTarget.value })}
      />
      <Choice
        label="Status"
        all="Every status"
        names={kindNames}
        value={view.kind}
        choose={(kind) => show({ ...view, kind: kind as RowView['kind'] })}
      />
      {count < all && (
        <span class="small muted" role="status">
          {number(count)} of {number(all)}
        </span>
      )}
    </div>
  )
}

/** The column headers. Clicking one sorts ascending, then descending, then not at all. */
function Head({ view }: { readonly view: RowView }) {
  const turn = (key: SortKey): RowView => {
    if (view.sort !== key) return { ...view, sort: key, isDown: false }
    return view.isDown ? { ...view, sort: undefined, isDown: false } : { ...view, isDown: true }
  }
  return (
    <div class="row head" role="row" aria-rowindex={1}>
      {(Object.entries(sortNames) as [SortKey, string][]).map(([key, name]) => {
        const sorted = view.sort !== key ? undefined : view.isDown ? 'descending' : 'ascending'
        return (
          <span role="columnheader" key={key} aria-sort={sorted} class={isBeside.has(key) ? 'beside' : undefined}>
            <button type="button" class="plain small" onClick={() => show(turn(key))}>
              {name}
              {sorted && <span aria-hidden="true">{view.isDown ? '↓' : '↑'}</span>}
            </button>
          </span>
        )
      })}
    </div>
  )
}

/** Columns that are hidden on narrow screens. */
const isBeside: ReadonlySet<SortKey> = new Set(['credits', 'at'])

function OnePage({ job, id }: { readonly job: string; readonly id: string }) {
  const { answer: document, refusal } = useAnswer((signal) => client.findScrape(id, { signal }), [id])
  const url = document?.metadata.url ?? document?.metadata.sourceURL
  return (
    <div class="stack">
      <div class="bar">
        <a class="button small" href={href(here(), queryOfRows(rowViewOf(place.value.query)))}>
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
