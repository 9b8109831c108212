import { useEffect, useState } from 'preact/hooks'

import { addressOf, call } from '../lib/api.ts'
import { duration, shown } from '../lib/format.ts'
import { Markdown } from './markdown.tsx'
import { Code, Sign, Tabs, type Tab } from './pieces.tsx'

/** A document as the API gives it. */
export interface Document {
  readonly markdown?: string
  readonly html?: string
  readonly rawHtml?: string
  readonly links?: readonly string[]
  readonly screenshot?: string
  readonly json?: unknown
  readonly summary?: string
  readonly warning?: string
  readonly explain?: Explanation
  readonly metadata: {
    readonly statusCode?: number
    readonly title?: string
    readonly url?: string
    readonly sourceURL?: string
    readonly creditsUsed?: number
    readonly proxyUsed?: string
    readonly cacheState?: string
    readonly scrapeId?: string
    readonly [key: string]: unknown
  }
  readonly [format: string]: unknown
}

interface Explanation {
  readonly steps?: readonly {
    readonly step: string
    readonly outcome: string
    readonly reason?: string
    readonly loader?: string
    readonly ms?: number
    readonly at: number
  }[]
  readonly blocks?: readonly { readonly text: string; readonly kept: boolean; readonly score: number }[]
}

/** A document by tabs: what was asked for, and why it is as it is. */
export function Result({
  document,
  ms,
  more = [],
}: {
  readonly document: Document
  readonly ms?: number | undefined
  readonly more?: readonly Tab[]
}) {
  const [tab, setTab] = useState('read')
  const { markdown, html, rawHtml, links, screenshot, metadata, explain, warning } = document
  const data = document.json ?? document['extract']
  const tabs: Tab[] = [
    ...(markdown === undefined
      ? []
      : [
          { id: 'read', label: 'Read', view: () => <Markdown text={markdown} /> },
          { id: 'source', label: 'Markdown', view: () => <Code text={markdown} name="Markdown" /> },
        ]),
    ...(typeof document.summary === 'string'
      ? [{ id: 'summary', label: 'Summary', view: () => <p class="prose">{shown(document.summary ?? '')}</p> }]
      : []),
    ...(data === undefined
      ? []
      : [{ id: 'data', label: 'Data', view: () => <Code text={JSON.stringify(data, null, 2)} name="data" /> }]),
    ...(html === undefined ? [] : [{ id: 'html', label: 'HTML', view: () => <Preview html={html} /> }]),
    ...(rawHtml === undefined
      ? []
      : [{ id: 'raw', label: 'Raw HTML', view: () => <Code text={rawHtml} name="HTML" /> }]),
    ...(links === undefined
      ? []
      : [{ id: 'links', label: `Links ${links.length}`, view: () => <Links links={links} /> }]),
    ...(screenshot === undefined
      ? []
      : [
          {
            id: 'shot',
            label: 'Screenshot',
            view: () => <Screenshot address={screenshot} title={metadata.title ?? ''} />,
          },
        ]),
    { id: 'json', label: 'JSON', view: () => <Code text={JSON.stringify(document, null, 2)} name="JSON" /> },
    ...(explain ? [{ id: 'why', label: 'Why', view: () => <Why explain={explain} /> }] : []),
    ...more,
  ]
  return (
    <div class="card">
      {warning && (
        <p class="pad small" role="status">
          {shown(warning)}
        </p>
      )}
      <Tabs tabs={tabs} chosen={tab} choose={setTab} />
      <div class="footline">
        <Sign status={metadata.statusCode} />
        {ms !== undefined && <span>{duration(ms)}</span>}
        {metadata.proxyUsed && <span>proxy {metadata.proxyUsed}</span>}
        {metadata.cacheState && <span>cache {metadata.cacheState}</span>}
        {metadata.creditsUsed !== undefined && (
          <span>{metadata.creditsUsed === 1 ? '1 credit' : `${metadata.creditsUsed} credits`}</span>
        )}
        {metadata.scrapeId && <span class="mono">{metadata.scrapeId}</span>}
      </div>
    </div>
  )
}

function Links({ links }: { readonly links: readonly string[] }) {
  if (links.length === 0) return <p class="muted">The page has no links.</p>
  return (
    <ol class="scroller small" tabIndex={0}>
      {links.slice(0, 2_000).map((link) => (
        <li key={link}>
          {/^https?:/i.test(link) ? (
            <a href={link} target="_blank" rel="noopener noreferrer">
              {shown(link)}
            </a>
          ) : (
            shown(link)
          )}
        </li>
      ))}
    </ol>
  )
}

function Screenshot({ address, title }: { readonly address: string; readonly title: string }) {
  // Pictures of this server are loaded; no other address is.
  const isOwn = address.startsWith('data:image/') || new URL(address, location.href).host === location.host
  if (!isOwn) return <Code text={address} name="address" />
  const url = address.startsWith('data:') ? address : addressOf(new URL(address, location.href).pathname).href
  return (
    <div class="stack">
      <img class="shot" src={url} alt={`The page ${title} as a browser shows it`} />
      <a href={url} download="screenshot.png">
        Download
      </a>
    </div>
  )
}

/** HTML of strangers, in a frame that can run and load nothing. */
function Preview({ html }: { readonly html: string }) {
  const [path, setPath] = useState<string | undefined>()
  useEffect(() => {
    const stop = new AbortController()
    const make = async (): Promise<void> => {
      const response = await fetch(addressOf('ui/preview'), {
        method: 'POST',
        body: html,
        headers: { 'x-harvestman-ui': '1' },
        signal: stop.signal,
      })
      const answer = (await response.json()) as { path?: string }
      setPath(answer.path)
    }
    void make().catch(() => undefined)
    return () => stop.abort()
  }, [html])
  return (
    <div class="stack">
      {path && (
        <iframe
          class="preview"
          sandbox=""
          src={addressOf(path).href}
          title="The HTML, without its scripts and pictures"
        />
      )}
      <details>
        <summary>Source</summary>
        <Code text={html} name="HTML" />
      </details>
    </div>
  )
}

function Why({ explain }: { readonly explain: Explanation }) {
  return (
    <div class="stack wide">
      <table class="plain">
        <thead>
          <tr>
            <th>After</th>
            <th>Step</th>
            <th>Outcome</th>
          </tr>
        </thead>
        <tbody>
          {explain.steps?.map(({ at, step, loader, outcome, reason, ms }, index) => (
            <tr key={index}>
              <td>{duration(at)}</td>
              <td>{loader ? `${step} ${loader}` : step}</td>
              <td>
                {outcome}
                {ms !== undefined && ` · ${duration(ms)}`} {reason && <span class="muted">{shown(reason)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {explain.blocks && (
        <div class="stack">
          <h3>Blocks of the page</h3>
          {explain.blocks.slice(0, 300).map(({ text, kept, score }, index) => (
            <div class="row" key={index}>
              <span class={`sign ${kept ? 'ok' : 'none'}`}>{kept ? '✓ kept' : '○ left'}</span>
              <span class="where">{shown(text)}</span>
              <span class="facts">{Math.round(score * 100)} %</span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

export async function fetchDocument(id: string): Promise<Document> {
  const { data } = await call<{ data: Document }>(`v2/scrape/${encodeURIComponent(id)}`)
  return data
}
