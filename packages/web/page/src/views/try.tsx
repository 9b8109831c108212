import { useEffect, useRef, useState } from 'preact/hooks'

import { call, refusalOf, type Refusal } from '../lib/api.ts'
import { duration } from '../lib/format.ts'
import { go, place } from '../lib/router.ts'
import { paths, samplesOf, type RequestKind } from '../lib/samples.ts'
import { bodyOf, describe, formatNames, type Description } from '../lib/schema.ts'
import { copy, say } from '../lib/say.ts'
import { Form, type Values } from '../parts/form.tsx'
import { Code, Empty, Heading, Notice } from '../parts/pieces.tsx'
import { Result, type Document } from '../parts/result.tsx'

const kinds: readonly (readonly [RequestKind, string])[] = [
  ['scrape', 'Page'],
  ['crawl', 'Crawl a site'],
  ['map', 'Map a site'],
  ['batch', 'Many pages'],
]

type Outcome =
  | { readonly document: Document; readonly ms: number }
  | { readonly links: readonly { readonly url: string; readonly title?: string }[]; readonly ms: number }
  | { readonly refusal: Refusal }
  | { readonly since: number }

interface Draft {
  readonly kind: RequestKind
  readonly url: string
  readonly formats: readonly string[]
  readonly values: Values
}

function startDraft(): Draft {
  const given = place.value.query.get('request')
  const usual: Draft = { kind: 'scrape', url: '', formats: ['markdown', 'links'], values: {} }
  if (given === null) return usual
  try {
    return { ...usual, ...(JSON.parse(given) as Partial<Draft>) }
  } catch {
    return usual
  }
}

/** What would be sent: only what differs from what the server does anyhow. */
export function requestOf({ kind, url, formats, values }: Draft): Record<string, unknown> {
  const address = /^[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url}`
  const asked = formats.length === 1 && formats[0] === 'markdown' ? {} : { formats }
  switch (kind) {
    case 'scrape':
      return { url: address, ...asked, ...values }
    case 'crawl':
      return { url: address, ...values, ...('formats' in asked && { scrapeOptions: asked }) }
    case 'batch':
      return { urls: url.split(/\s+/).filter(Boolean), ...asked, ...values }
    default:
      return { url: address, ...values }
  }
}

export function TryView() {
  const [draft, setDraft] = useState<Draft>(startDraft)
  const [description, setDescription] = useState<Description | undefined>()
  const [outcome, setOutcome] = useState<Outcome | undefined>()
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => {
    describe().then(setDescription, (error: unknown) => setOutcome({ refusal: refusalOf(error) }))
    return () => running.current?.abort()
  }, [])
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const isRunning = outcome !== undefined && 'since' in outcome

  const run = async (): Promise<void> => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    const since = performance.now()
    setOutcome({ since })
    try {
      const done = await send(draft, own.signal, since)
      if (done) setOutcome(done)
    } catch (error) {
      setOutcome(own.signal.aborted ? undefined : { refusal: refusalOf(error) })
    }
  }
  const schema = description && bodyOf(paths[draft.kind], description)
  const scrapeSchema = description && bodyOf(paths.scrape, description)
  const names = scrapeSchema ? formatNames(scrapeSchema, description) : []
  const shownFormats = names.filter((name) => !name.includes('@') && !needOptions.has(name))
  const changed = Object.keys(draft.values).length
  return (
    <>
      <Heading>Try it</Heading>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run()
        }}
      >
        <div class="bar">
          <label class="sr" for="kind">
            What to do
          </label>
          <span>
            <select
              id="kind"
              value={draft.kind}
              onChange={(event) => change({ kind: event.currentTarget.value as RequestKind, values: {} })}
            >
              {kinds.map(([kind, label]) => (
                <option key={kind} value={kind}>
                  {label}
                </option>
              ))}
            </select>
          </span>
          <span class="grow">
            {draft.kind === 'batch' ? (
              <textarea
                id="address"
                class="code"
                rows={3}
                required
                aria-label="Addresses, one a line"
                placeholder="one address a line"
                value={draft.url}
                onInput={(event) => change({ url: event.currentTarget.value })}
              />
            ) : (
              <input
                id="address"
                type="text"
                inputMode="url"
                required
                autocomplete="url"
                aria-label="Address"
                placeholder="https://example.com"
                value={draft.url}
                onInput={(event) => change({ url: event.currentTarget.value.trim() })}
              />
            )}
          </span>
          {isRunning ? (
            <button type="button" onClick={() => running.current?.abort()}>
              Cancel
            </button>
          ) : (
            <button type="submit" class="primary" disabled={draft.url.trim() === ''}>
              Run
            </button>
          )}
        </div>
        {draft.kind !== 'map' && (
          <fieldset class="chips bare" aria-label="Formats">
            {shownFormats.map((name) => (
              <label class="chip" key={name}>
                <input
                  type="checkbox"
                  checked={draft.formats.includes(name)}
                  onChange={(event) =>
                    change({
                      formats: event.currentTarget.checked
                        ? [...draft.formats, name]
                        : draft.formats.filter((one) => one !== name),
                    })
                  }
                />
                {name}
              </label>
            ))}
          </fieldset>
        )}
      </form>
      <div class="split">
        <div class="card">
          <details open={innerWidth > 900}>
            <summary>Options {changed > 0 && <span class="muted small">· {changed} set</span>}</summary>
            {schema && description ? (
              <Form
                schema={schema}
                description={description}
                values={draft.values}
                change={(values) => change({ values })}
              />
            ) : (
              <p class="pad muted">Loading…</p>
            )}
          </details>
        </div>
        <div class="stack wide">
          <Shown outcome={outcome} retry={() => void run()} />
          {draft.url !== '' && <Samples draft={draft} />}
        </div>
      </div>
    </>
  )
}

// They say nothing without options, which are set below.
const needOptions = new Set(['attributes', 'metadata'])

async function send(draft: Draft, signal: AbortSignal, since: number): Promise<Outcome | undefined> {
  const body = requestOf(draft)
  const answer = await call<{ data?: Document; links?: readonly { url: string }[]; id?: string }>(paths[draft.kind], {
    method: 'POST',
    body,
    signal,
  })
  const ms = performance.now() - since
  if (answer.data) {
    say(`Done in ${duration(ms)}`)
    return { document: answer.data, ms }
  }
  if (answer.links) return { links: answer.links, ms }
  if (answer.id) go(['jobs', draft.kind, answer.id])
  return undefined
}

function Shown({ outcome, retry }: { readonly outcome: Outcome | undefined; readonly retry: () => void }) {
  if (!outcome) return <Empty>Write an address and run it: the page comes back as clean content.</Empty>
  if ('refusal' in outcome) return <Notice refusal={outcome.refusal} retry={retry} />
  if ('since' in outcome) return <Waiting since={outcome.since} />
  if ('document' in outcome) return <Result document={outcome.document} ms={outcome.ms} />
  return (
    <div class="card">
      <div class="pad stack">
        <h2>
          {outcome.links.length} addresses <span class="muted small">in {duration(outcome.ms)}</span>
        </h2>
        <ol class="scroller small" tabIndex={0}>
          {outcome.links.slice(0, 5_000).map(({ url, title }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noopener noreferrer">
                {url}
              </a>{' '}
              {title && <span class="muted">{title}</span>}
            </li>
          ))}
        </ol>
      </div>
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

function Samples({ draft }: { readonly draft: Draft }) {
  const [name, setName] = useState('curl')
  const samples = samplesOf(draft.kind, requestOf(draft), location.origin)
  const sample = samples.find((one) => one.name === name) ?? samples[0]
  return (
    <details class="card">
      <summary>The same request elsewhere</summary>
      <div class="pad stack">
        <div class="bar">
          <label for="sample" class="small">
            As
          </label>
          <span>
            <select id="sample" value={name} onChange={(event) => setName(event.currentTarget.value)}>
              {samples.map((one) => (
                <option key={one.name}>{one.name}</option>
              ))}
            </select>
          </span>
          <button
            type="button"
            class="small"
            onClick={() =>
              void copy(
                `${location.href.split('#')[0]}#/try?${new URLSearchParams({ request: JSON.stringify(draft) }).toString()}`,
              )
            }
          >
            Copy link
          </button>
        </div>
        {sample && <Code text={sample.text} name={sample.name} />}
      </div>
    </details>
  )
}
