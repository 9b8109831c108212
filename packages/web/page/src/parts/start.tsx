import { useState } from 'preact/hooks'

import { offeredKinds, tried, type Draft } from '../lib/draft.ts'
import { examples } from '../lib/examples.ts'
import { shown } from '../lib/format.ts'
import { findPast, forgetAll, past } from '../lib/history.ts'
import { href } from '../lib/router.ts'
import { bodyOf, formatNames, type Description } from '../lib/schema.ts'
import { Time } from './time.tsx'

/** Examples and past requests, shown until there is a result. */
export function Start({ description }: { readonly description: Description | undefined }) {
  return (
    <>
      <Examples description={description} />
      {past.value.length > 0 && <History />}
    </>
  )
}

function linkTo(draft: Partial<Draft>): string {
  return href(['try'], { request: JSON.stringify(draft) })
}

function Examples({ description }: { readonly description: Description | undefined }) {
  const scrape = description && bodyOf(tried('scrape').path, description)
  const formats = new Set(scrape && description ? formatNames(scrape) : ['markdown', 'links'])
  const kinds = new Set(offeredKinds(description))
  const offered = examples.filter(
    ({ draft: { kind, formats: wanted = [] } }) => kinds.has(kind) && wanted.every((format) => formats.has(format)),
  )
  return (
    <section class="card pad stack">
      <h2>Start with an example</h2>
      <p class="muted">Enter a URL above and run it, or choose one of these.</p>
      <ul class="examples">
        {offered.map(({ title, draft }) => (
          <li key={title}>
            <a href={linkTo(draft)}>{title}</a>{' '}
            <span class="muted small">{draft.url.replace(/^https:\/\//, '').replace(/\/$/, '')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const mostShown = 20

function History() {
  const [words, setWords] = useState('')
  const found = findPast(words, past.value)
  return (
    <section class="card">
      <div class="pad bar">
        <h2>What you ran before</h2>
        <span class="grow" />
        <input
          class="filter"
          type="text"
          aria-label="Search what you ran before"
          placeholder="Search"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="button" class="small" onClick={forgetAll}>
          Forget all
        </button>
      </div>
      <div class="rows past">
        {found.length === 0 && <p class="pad muted">No request matches.</p>}
        {found.slice(0, mostShown).map(({ at, draft }) => (
          <a class="row" key={at} href={linkTo(draft)}>
            <span class="muted">{tried(draft.kind).label}</span>
            <span class="where">
              {shown(draft.url)} <span class="muted">{draft.formats.join(', ')}</span>
            </span>
            <span class="facts">
              <Time at={at} />
            </span>
          </a>
        ))}
      </div>
      <p class="footline">
        {found.length > mostShown && `The newest ${mostShown} of ${found.length}. `}
        Stored in this browser only, without headers and actions.
      </p>
    </section>
  )
}
