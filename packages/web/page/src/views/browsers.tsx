import { useRef, useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { usePoll } from '../lib/poll.ts'
import { go, href } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import type { Session } from '../lib/sessions.ts'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { SessionView } from '../parts/session.tsx'
import { Time } from '../parts/time.tsx'

/** Lists the open browsers, each with its live view. A browser that ends while it is shown keeps its last picture. */
export function BrowsersView({ id }: { readonly id: string | undefined }) {
  const [sessions, setSessions] = useState<readonly Session[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [isOpening, setOpening] = useState(false)
  const [looks, setLooks] = useState(0)
  const looked = useRef<Session | undefined>(undefined)
  usePoll(
    async (signal) => {
      try {
        setSessions(await client.browsers.list({ status: 'active' }, { signal }))
        return true
      } catch (error) {
        if (signal.aborted) return false
        const found = refusalOf(error)
        setRefusal(found)
        return found.status === undefined
      }
    },
    3_000,
    [looks],
  )
  const open = async (): Promise<void> => {
    setOpening(true)
    setRefusal(undefined)
    try {
      const made = await client.browsers.open()
      go(['browsers', made.id])
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setOpening(false)
  }
  const stop = async (session: Session): Promise<void> => {
    try {
      await client.browsers.close(session.id)
      say('The browser is closed')
      setLooks(looks + 1)
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  const wanted = id ?? looked.current?.id ?? sessions?.[0]?.id
  const active = sessions?.find((session) => session.id === wanted)
  if (active) looked.current = active
  const chosen = active ?? looked.current ?? (wanted === undefined ? undefined : { id: wanted })
  const isEmpty = sessions !== undefined && !chosen
  const opener = (
    <button type="button" class={isEmpty ? 'primary' : ''} disabled={isOpening} onClick={() => void open()}>
      {isOpening ? 'Opening…' : 'New session'}
    </button>
  )
  return (
    <>
      <div class="bar">
        <Heading>Browsers</Heading>
        <span class="grow" />
        {!isEmpty && opener}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {isEmpty && (
        <Empty>
          <span>
            No browser is open. Open one here, or call <code>interact</code> on a scrape. You can watch what it does and
            take control.
          </span>
          {opener}
        </Empty>
      )}
      {sessions && chosen && (
        <div class={hasOthers(sessions, chosen) ? 'split' : ''}>
          {hasOthers(sessions, chosen) && <SessionList sessions={sessions} chosen={chosen} />}
          <SessionView key={chosen.id} session={chosen} isOver={!active} stop={() => void stop(chosen)} />
        </div>
      )}
    </>
  )
}

function hasOthers(sessions: readonly Session[], { id }: Session): boolean {
  return sessions.some((session) => session.id !== id)
}

function SessionList({ sessions, chosen }: { readonly sessions: readonly Session[]; readonly chosen: Session }) {
  return (
    <div class="card rows" role="group" aria-label="Open browsers">
      {sessions.map(({ id, createdAt }) => (
        <a
          class="row session"
          key={id}
          href={href(['browsers', id])}
          aria-current={id === chosen.id ? 'true' : undefined}
        >
          <span class="sign ok" aria-hidden="true">
            ●
          </span>
          <span class="where mono">{id.slice(0, 8)}</span>
          <span class="facts">{createdAt !== undefined && <Time at={createdAt} />}</span>
        </a>
      ))}
    </div>
  )
}
