// Views of the formats of a document.
import { useEffect, useState } from 'preact/hooks'

import { addressIn, addressOf, ownAddressOf } from '../lib/address.ts'
import { client } from '../lib/api.ts'
import { shown, when } from '../lib/format.ts'
import { href } from '../lib/router.ts'
import { later } from './later.tsx'
import { Code } from './pieces.tsx'

const Diff = later(async () => (await import('./diff.tsx')).Diff)

/** Links web URLs only, with a link that opens the URL in the Try view. */
export function Address({ url }: { readonly url: string }) {
  if (!/^https?:/i.test(url)) return <>{shown(url)}</>
  return (
    <>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {shown(url)}
      </a>{' '}
      <a class="quiet" href={href(['try'], { request: JSON.stringify({ url }) })} aria-label={`Try ${shown(url)}`}>
        Try
      </a>
    </>
  )
}

export function Screenshot({ address, title }: { readonly address: string; readonly title: string }) {
  // Load only images of this server. Other URLs are displayed, not loaded.
  const read = addressIn(address, location.href)
  const isOwn = address.startsWith('data:image/') || read?.host === location.host
  if (!isOwn || !read) return <Code text={address} name="address" />
  const url = read.protocol === 'data:' ? address : ownAddressOf(read)
  return <Shot url={url} title={title} />
}

/** Zoom factors by label; `undefined` fits the available width. */
const zooms = { Fit: undefined, '100 %': 1, '200 %': 2 } as const

function Shot({ url, title }: { readonly url: string; readonly title: string }) {
  const [zoom, setZoom] = useState<keyof typeof zooms>('Fit')
  const [width, setWidth] = useState<number | undefined>()
  const times = zooms[zoom]
  const isFit = times === undefined || width === undefined
  return (
    <div class="stack">
      <div class="bar">
        <span class="chips" role="group" aria-label="Zoom">
          {(Object.keys(zooms) as (keyof typeof zooms)[]).map((one) => (
            <button type="button" class="small" key={one} aria-pressed={zoom === one} onClick={() => setZoom(one)}>
              {one}
            </button>
          ))}
        </span>
        <span class="grow" />
        <a class="button small" href={url} download="screenshot.png">
          Download
        </a>
      </div>
      <div class="scroller" tabIndex={0} role="region" aria-label="Screenshot">
        <img
          class={isFit ? 'shot' : 'shot zoomed'}
          src={url}
          alt={`The page ${title} as a browser shows it`}
          onLoad={(event) => setWidth(event.currentTarget.naturalWidth)}
          {...(!isFit && { width: width * times })}
        />
      </div>
    </div>
  )
}

/** Untrusted HTML in a frame that cannot run scripts or load anything. */
export function Preview({ html }: { readonly html: string }) {
  const [{ path, error }, setMade] = useState<{ readonly path?: string; readonly error?: string }>({})
  useEffect(() => {
    const stop = new AbortController()
    const make = async (): Promise<void> => {
      const response = await client.fetch('/ui/preview', { method: 'POST', body: html, signal: stop.signal })
      setMade((await response.json()) as { path?: string; error?: string })
    }
    void make().catch(() => undefined)
    return () => stop.abort()
  }, [html])
  return (
    <div class="stack">
      {error && <p role="alert">{error}</p>}
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

export const changeMeanings: Readonly<Record<string, string>> = {
  new: 'This is the first scrape of this page. Scrape it again later to see what changed.',
  same: 'Nothing changed.',
  changed: 'The page changed.',
  removed: 'The page is gone.',
}

interface Change {
  readonly changeStatus: string
  readonly previousScrapeAt?: string | null
  readonly diff?: { readonly text?: string }
}

export function Changed({ change: { changeStatus, previousScrapeAt, diff } }: { readonly change: Change }) {
  return (
    <div class="stack">
      <p>
        <b>{changeMeanings[changeStatus] ?? changeStatus}</b>{' '}
        {previousScrapeAt && <span class="muted">Seen before: {when(previousScrapeAt)}</span>}
      </p>
      {diff?.text && <Diff text={diff.text} />}
    </div>
  )
}
