import { useState } from 'preact/hooks'

import { addressIn, ownAddressOf } from '../lib/address.ts'
import { when } from '../lib/format.ts'
import { Code, Empty, Tabs } from './pieces.tsx'
import { Recording } from './recording.tsx'

/** An address that is empty while there is none. */
type Told = string | null | undefined

export interface Session {
  readonly id: string
  readonly status: string
  readonly cdpUrl?: Told
  readonly liveViewUrl?: Told
  readonly interactiveLiveViewUrl?: Told
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
      <Recording key={id} session={id} />
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

function LiveView({ url, title }: { readonly url: Told; readonly title: string }) {
  const address = addressIn(url)
  if (!address) return <Empty>This session has no live view yet. It appears here when there is one.</Empty>
  return <iframe class="live" src={ownAddressOf(address)} title={title} />
}

function Connect({ url }: { readonly url: Told }) {
  if (!url || !addressIn(url)) return <Empty>This session does not run code.</Empty>
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
