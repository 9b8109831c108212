import { useState } from 'preact/hooks'

import { when } from '../lib/format.ts'
import { Code, Empty, Tabs } from './pieces.tsx'

export interface Session {
  readonly id: string
  readonly status: string
  readonly cdpUrl?: string
  readonly liveViewUrl?: string
  readonly interactiveLiveViewUrl?: string
  readonly createdAt: string
  readonly lastActivity?: string
}

/** One browser: to look at, to act in, and to connect a program to. */
export function SessionView({ session, stop }: { readonly session: Session; readonly stop: () => void }) {
  const [tab, setTab] = useState('view')
  const { id, liveViewUrl, interactiveLiveViewUrl, cdpUrl, createdAt } = session
  return (
    <div class="card">
      <Tabs
        chosen={tab}
        choose={setTab}
        tabs={[
          { id: 'view', label: 'View', view: () => <LiveView url={liveViewUrl} title="The browser, to look at" /> },
          {
            id: 'control',
            label: 'Control',
            view: () => <LiveView url={interactiveLiveViewUrl} title="The browser, to click and type in" />,
          },
          { id: 'connect', label: 'Connect', view: () => <Connect url={cdpUrl} /> },
        ]}
      />
      <div class="footline">
        <span class="mono id">{id}</span>
        <span>opened {when(createdAt)}</span>
        <span class="grow" />
        <button type="button" class="small" onClick={stop}>
          Stop
        </button>
      </div>
    </div>
  )
}

function LiveView({ url, title }: { readonly url: string | undefined; readonly title: string }) {
  // The policy of the page frames nothing but this server, whatever name the address of the view has for it.
  if (url === undefined) return <Empty>This session has no live view.</Empty>
  const { pathname, search } = new URL(url)
  return <iframe class="live" src={location.origin + pathname + search} title={title} />
}

function Connect({ url }: { readonly url: string | undefined }) {
  if (url === undefined) return <Empty>This session takes no programs.</Empty>
  const sample = `import { connect } from 'puppeteer-core'

const browser = await connect({ browserWSEndpoint: '${url}' })
const [page] = await browser.pages()
await page.goto('https://example.com')`
  return (
    <div class="stack">
      <p>A program drives the same browser with this address. It holds the key of the session: keep it to yourself.</p>
      <Code text={url} name="address" />
      <Code text={sample} name="program" />
    </div>
  )
}
