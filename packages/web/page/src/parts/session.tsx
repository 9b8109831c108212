import { useState } from 'preact/hooks'

import { addressIn, ownAddressOf } from '../lib/address.ts'
import { when } from '../lib/format.ts'
import type { Session, Told } from '../lib/sessions.ts'
import { Code, Empty, Tabs, type Tab } from './pieces.tsx'
import { Recording } from './recording.tsx'
import { SessionCode } from './session-code.tsx'
import { SessionEnded } from './session-end.tsx'
import { SessionShares } from './session-shares.tsx'

interface SessionProps {
  readonly session: Session
  /** The session has ended; its last picture remains. */
  readonly isOver: boolean
  readonly stop: () => void
}

/** One browser, to watch, control, run code in, share, and connect clients to. */
export function SessionView({ session, isOver, stop }: SessionProps) {
  const [tab, setTab] = useState('view')
  const { id, liveViewUrl, interactiveLiveViewUrl, cdpUrl, createdAt } = session
  const runs = !isOver && addressIn(cdpUrl) !== undefined
  const hasView = addressIn(liveViewUrl) !== undefined
  const views: readonly Tab[] = [
    { id: 'view', label: 'View', view: () => <LiveView url={liveViewUrl} title="The browser, view only" /> },
    {
      id: 'control',
      label: 'Control',
      view: () => <LiveView url={interactiveLiveViewUrl} title="The browser, to click and type in" />,
    },
  ]
  const more: readonly Tab[] = [
    ...(hasView ? [{ id: 'share', label: 'Share', view: () => <SessionShares session={id} /> }] : []),
    { id: 'connect', label: 'Connect', view: () => <Connect url={cdpUrl} /> },
  ]
  // A view that was not open when the session ended has no picture.
  const seen = hasView ? views.filter((one) => one.id === tab) : []
  const tabs = isOver ? seen : [...views, ...more]
  return (
    <div class="card session-view">
      {isOver && <SessionEnded session={id} hasPicture={seen.length > 0} />}
      <div class="session-sides">
        <div>{tabs.length > 0 && <Tabs chosen={tab} choose={setTab} tabs={tabs} />}</div>
        {runs && <SessionCode session={id} />}
      </div>
      {!isOver && <Recording key={id} session={id} />}
      <div class="footline">
        <span class="mono id">{id}</span>
        {createdAt !== undefined && <span>opened {when(createdAt)}</span>}
        <span class="grow" />
        {!isOver && (
          <button type="button" class="small" onClick={stop}>
            Stop
          </button>
        )}
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
  if (!url || !addressIn(url)) return <Empty>This session cannot be controlled by programs.</Empty>
  const sample = `import { connect } from 'puppeteer-core'

const browser = await connect({ browserWSEndpoint: '${url}' })
const [page] = await browser.pages()
await page.goto('https://example.com')`
  return (
    <div class="stack">
      <p>Programs control the same browser through this URL. It contains the key of the session, so keep it secret.</p>
      <Code text={url} name="URL" />
      <Code text={sample} name="program" />
    </div>
  )
}
