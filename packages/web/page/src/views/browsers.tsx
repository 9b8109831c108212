import { useState } from 'preact/hooks'

import { call, refusalOf, type Refusal } from '../lib/api.ts'
import { usePoll } from '../lib/poll.ts'
import { go, href } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { Time } from '../parts/time.tsx'
import { SessionView, type Session } from '../parts/session.tsx'

/** Browsers that are open, each with its live view. */
export function BrowsersView({ id }: { readonly id: string | undefined }) {
  const [sessions, setSessions] = useState<readonly Session[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [isOpening, setOpening] = useState(false)
  const [looks, setLooks] = useState(0)
  usePoll(
    async (signal) => {
      try {
        setSessions((await call<{ sessions: readonly Session[] }>('v2/browser?status=active', { signal })).sessions)
        return true
      } catch (error) {
        if (signal.aborted) return false
        const found = refusalOf(error)
        setRefusal(found)
        return found.status === 0
      }
    },
    3_000,
    [looks],
  )
  const open = async (): Promise<void> => {
    setOpening(true)
    setRefusal(undefined)
    try {
      const made = await call<{ id: string }>('v2/browser', { method: 'POST', body: {} })
      go(['browsers', made.id])
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setOpening(false)
  }
  const stop = async (session: Session): Promise<void> => {
    try {
      await call(`v2/browser/${encodeURIComponent(session.id)}`, { method: 'DELETE' })
      say('The browser is closed')
      setLooks(looks + 1)
      go(['browsers'])
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  const chosen = sessions?.find((session) => session.id === id) ?? (id === undefined ? sessions?.[0] : undefined)
  return (
    <>
      <div class="bar">
        <Heading>Browsers</Heading>
        <span class="grow" />
        <button
          type="button"
          class={sessions?.length === 0 ? 'primary' : ''}
          disabled={isOpening}
          onClick={() => void open()}
        >
          {isOpening ? 'Opening…' : 'New session'}
        </button>
      </div>
      {refusal && <Notice refusal={refusal} />}
      {sessions?.length === 0 && id === undefined && (
        <Empty>
          <span>
            No browser is open. Start one here, or run <code>interact</code> on a scrape: you see what it does, and may
            take over.
          </span>
        </Empty>
      )}
      {sessions && id !== undefined && !chosen && !isOpening && (
        <Empty>
          This session has ended.
          <a class="button" href={href(['browsers'])}>
            Show those that are open
          </a>
        </Empty>
      )}
      {sessions && chosen && (
        <div class="split">
          <div class="card rows" role="group" aria-label="Open browsers">
            {sessions.map((session) => (
              <a
                class="row session"
                key={session.id}
                href={href(['browsers', session.id])}
                aria-current={session.id === chosen.id ? 'true' : undefined}
              >
                <span class="sign ok" aria-hidden="true">
                  ●
                </span>
                <span class="where mono">{session.id.slice(0, 8)}</span>
                <span class="facts">
                  <Time at={session.createdAt} />
                </span>
              </a>
            ))}
          </div>
          <SessionView key={chosen.id} session={chosen} stop={() => void stop(chosen)} />
        </div>
      )}
    </>
  )
}
