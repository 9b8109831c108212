import { useEffect, useState } from 'preact/hooks'

import { duration, number, shown } from '../lib/format.ts'
import type { FoundLink, Outcome } from '../lib/send.ts'
import { AnswerData } from './answer-data.tsx'
import { Address } from './content.tsx'
import { Empty } from './pieces.tsx'
import { Result } from './result.tsx'
import { asLines, TextActions } from './result-actions.tsx'

/** The result of a request, or its state. */
export function Outcomes({ outcome }: { readonly outcome: Outcome }) {
  if ('refusal' in outcome) return <Empty>Nothing was returned. See the reason above.</Empty>
  if ('since' in outcome) return <Waiting since={outcome.since} />
  if ('document' in outcome) return <Result document={outcome.document} ms={outcome.ms} />
  if ('links' in outcome) return <Links links={outcome.links} ms={outcome.ms} />
  return (
    <>
      <AnswerData data={outcome.value} texts={outcome.texts} />
      <p class="small muted">{duration(outcome.ms)}</p>
    </>
  )
}

const mostLinks = 2_000

function Links({ links, ms }: { readonly links: readonly FoundLink[]; readonly ms: number }) {
  const [word, setWord] = useState('')
  const found = links.filter(({ url, title = '' }) => `${url} ${title}`.toLowerCase().includes(word.toLowerCase()))
  return (
    <div class="card">
      <div class="pad stack">
        <div class="bar">
          <h2>
            {number(links.length)} {links.length === 1 ? 'URL' : 'URLs'}
          </h2>
          <span class="grow" />
          <input
            class="filter"
            type="text"
            aria-label="Filter the URLs"
            placeholder="Filter"
            value={word}
            onInput={(event) => setWord(event.currentTarget.value)}
          />
          <TextActions
            name="urls"
            content={asLines(
              'URLs',
              found.map(({ url }) => url),
            )}
          />
        </div>
        {found.length === 0 && <p class="muted">No URLs match this filter.</p>}
        <ol class="scroller small addresses" tabIndex={0}>
          {found.slice(0, mostLinks).map(({ url, title, description }) => (
            <li key={url}>
              {title && description && <b class="title">{shown(title)}</b>}
              <Address url={url} /> {title && !description && <span class="muted">{shown(title)}</span>}
              {description && <p class="muted about">{shown(description)}</p>}
            </li>
          ))}
        </ol>
      </div>
      <div class="footline">{duration(ms)}</div>
    </div>
  )
}

function Waiting({ since }: { readonly since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return (
    <Empty>
      <span class="pulse">Working…</span> {now - since > 1_000 && <span class="small">{duration(now - since)}</span>}
    </Empty>
  )
}
