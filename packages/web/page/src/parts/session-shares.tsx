import type { BrowserShare } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { useRefusedPoll } from '../lib/poll.ts'
import { say } from '../lib/say.ts'
import { Choice } from './choice.tsx'
import { Notice } from './notice.tsx'
import { Code } from './pieces.tsx'
import { Time } from './time.tsx'

const lives = { 300: 'for 5 minutes', 900: 'for 15 minutes', 3600: 'for an hour' }

/** View-only links to this browser, with their expiry and a button to end each. */
export function SessionShares({ session }: { readonly session: string }) {
  const [shares, setShares] = useState<readonly BrowserShare[]>([])
  const [life, setLife] = useState('900')
  const [looks, setLooks] = useState(0)
  const [fault, setFault] = useState<Refusal | undefined>()
  const [refusal] = useRefusedPoll(
    async (signal) => {
      setShares(await client.browsers.shares(session, { signal }))
      return true
    },
    [session, looks],
  )
  const attempt = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setFault(undefined)
    try {
      await work()
      say(done)
    } catch (error) {
      setFault(refusalOf(error))
    }
    setLooks(looks + 1)
  }
  const shown = fault ?? refusal
  return (
    <div class="stack">
      <p>
        Who has the link sees this browser and cannot act in it. No key is needed. The link ends by itself, and with the
        session at the latest.
      </p>
      <div class="bar">
        <Choice label="How long" names={lives} value={life} choose={setLife} />
        <button
          type="button"
          class="primary"
          onClick={() => void attempt(() => client.browsers.share(session, { ttl: Number(life) }), 'Link created')}
        >
          Make a link
        </button>
      </div>
      {shown && <Notice refusal={shown} />}
      <ul class="plain-list stack" aria-label="Links">
        {shares.map((one) => (
          <li key={one.id} class="stack">
            <Code text={one.url} name="link" />
            <div class="bar small">
              <span>
                Ends <Time at={one.expiresAt} />
              </span>
              <span class="grow" />
              <button
                type="button"
                class="small"
                onClick={() => void attempt(() => client.browsers.endShare(session, one.id), 'Link ended')}
              >
                End this link
              </button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
