import type { ListedPage } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { readable } from '../lib/address.ts'
import { number, shown } from '../lib/format.ts'
import { useAnswer } from '../lib/poll.ts'
import { href } from '../lib/router.ts'
import { readTracked } from '../lib/tracked.ts'
import { Notice } from './notice.tsx'
import { Empty } from './pieces.tsx'
import { Time } from './time.tsx'
import { VirtualRows } from './virtual-rows.tsx'

/** The tracked pages of the team, last changed first. Each links to its versions. */
export function TrackedPages() {
  const { answer, refusal } = useAnswer(readTracked, [])
  const [word, setWord] = useState('')
  if (refusal) return <Notice refusal={refusal} />
  if (!answer) return <Empty>Loading…</Empty>
  const { pages, hasMore } = answer
  if (pages.length === 0) {
    return (
      <Empty>No tracked pages yet. Enter a URL above and check it. Each check is compared with the one before.</Empty>
    )
  }
  const found = pages.filter(({ url, tag }) => `${url} ${tag ?? ''}`.toLowerCase().includes(word.toLowerCase()))
  return (
    <>
      <div class="bar">
        <h2>
          Tracked pages{' '}
          <span class="muted">
            {number(found.length)}
            {hasMore && '+'}
          </span>
        </h2>
        <span class="grow" />
        <input
          class="filter"
          type="text"
          aria-label="Filter by URL or tag"
          placeholder="Filter by URL or tag"
          value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
        />
      </div>
      {found.length === 0 ? (
        <Empty>
          No tracked pages match this filter.
          <button type="button" onClick={() => setWord('')}>
            Clear the filter
          </button>
        </Empty>
      ) : (
        <div class="card pad">
          <VirtualRows rows={found} label="Tracked pages" kind="tracked">
            {(page) => <Cells page={page} />}
          </VirtualRows>
        </div>
      )}
    </>
  )
}

function Cells({ page: { url, tag, newest } }: { readonly page: ListedPage }) {
  const { version, isRemoved, checks, firstSeenAt } = newest
  return (
    <>
      <span role="gridcell" class={`sign ${isRemoved ? 'broken' : 'ok'}`}>
        {isRemoved ? '✕' : `v${version}`}
      </span>
      <span role="gridcell" class="where">
        <a href={href(['changes'], { url, ...(tag !== null && { tag }) })}>{shown(readable(url))}</a>{' '}
        {tag !== null && <span class="muted">{shown(tag)}</span>}
      </span>
      <span role="gridcell" class="fact beside">
        {checks === 1 ? 'seen once' : `seen ${number(checks)} times`}
      </span>
      <span role="gridcell" class="fact">
        {isRemoved ? 'removed' : version === 1 ? 'first seen' : 'changed'} <Time at={firstSeenAt} />
      </span>
    </>
  )
}
