import { useState } from 'preact/hooks'

import { call, refusalOf, type Refusal } from '../lib/api.ts'
import { when } from '../lib/format.ts'
import { usePoll } from '../lib/poll.ts'
import { go, href } from '../lib/router.ts'
import { Code, Empty, Heading, Notice, Tabs } from '../parts/pieces.tsx'

interface Session {
  readonly id: string
  readonly status: string
  readonly cdpUrl?: string
  readonly liveViewUrl?: string
  readonly interactiveLiveViewUrl?: string
  readonly createdAt: string
  readonly lastActivity?: string
}

/** Browsers that are open, each with its live view. */
export function BrowsersView({ id }: { readonly id: string | undefined }) {
  const [sessions, setSessions] = useState<readonly Session[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  usePoll(
    async (signal) => {
      try {
        setSessions((await call<{ sessions: readonly Session[] }>('v2/browser?status=active', { signal })).sessions)
        setRefusal(undefined)
        return true
      } catch (error) {
        const found = refusalOf(error)
        setRefusal(found)
        return found.status === 0
      }
    },
    3_000,
    [],
  )
  const open = async (): Promise<void> => {
    try {
      const made = await call<{ id: string }>('v2/browser', { method: 'POST', body: {} })
      go(['browsers', made.id])
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  const chosen = sessions?.find((session) => session.id === id) ?? sessions?.[0]
  return (
    <>
      <div class="bar">
        <Heading>Browsers</Heading>
        <span class="grow" />
        <button type="button" onClick={() => void open()}>
          New session
        </button>
      </div>
      {refusal && <Notice refusal={refusal} />}
      {sessions?.length === 0 && <Empty>No browser is open. Start one, or call interact on a scrape.</Empty>}
      {sessions && chosen && (
        <div class="split">
          <div class="card rows">
            {sessions.map((session) => (
              <a
                class="row"
                key={session.id}
                href={href(['browsers', session.id])}
                aria-current={session.id === chosen.id}
              >
                <span class="sign ok">●</span>
                <span class="where mono">{session.id}</span>
                <span class="facts">{when(session.createdAt)}</span>
              </a>
            ))}
          </div>
          <SessionView key={chosen.id} session={chosen} />
        </div>
      )}
    </>
  )
}

function SessionView({ session }: { readonly session: Session }) {
  const [tab, setTab] = useState('view')
  const stop = (): void =>
    void call(`v2/browser/${encodeURIComponent(session.id)}`, { method: 'DELETE' }).catch(() => undefined)
  const view = (url: string | undefined, title: string) => () =>
    url ? <iframe class="preview" src={url} title={title} /> : <Empty>This session has no live view.</Empty>
  return (
    <div class="card">
      <Tabs
        chosen={tab}
        choose={setTab}
        tabs={[
          { id: 'view', label: 'View', view: view(session.liveViewUrl, 'The browser, to look at') },
          {
            id: 'control',
            label: 'Control',
            view: view(session.interactiveLiveViewUrl, 'The browser, to click and type in'),
          },
          {
            id: 'connect',
            label: 'Connect',
            view: () => (session.cdpUrl ? <Code text={session.cdpUrl} name="address" /> : <Empty>No address.</Empty>),
          },
        ]}
      />
      <div class="footline">
        <span class="mono">{session.id}</span>
        <button type="button" class="small" onClick={stop}>
          Stop
        </button>
      </div>
    </div>
  )
}
