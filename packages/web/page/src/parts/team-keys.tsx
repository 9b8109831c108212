import { useEffect, useState } from 'preact/hooks'

import { asAdmin, type Key, type Team } from '../lib/admin.ts'
import { refusalOf, type Refusal } from '../lib/api.ts'
import { when } from '../lib/format.ts'
import { copy, say } from '../lib/say.ts'
import { Notice } from './notice.tsx'

/** The keys of one team. A new key is shown only once; revoking is final. */
export function TeamKeys({ team, admin }: { readonly team: Team; readonly admin: string }) {
  const [keys, setKeys] = useState<readonly Key[]>([])
  const [name, setName] = useState('')
  const [made, setMade] = useState<string | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const path = `admin/teams/${encodeURIComponent(team.id)}/keys`
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      setKeys((await asAdmin<{ keys: readonly Key[] }>(admin, path)).keys)
      setRefusal(undefined)
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  useEffect(() => void attempt(async () => undefined), [team.id])
  const make = (): Promise<void> =>
    attempt(async () => {
      const { key } = await asAdmin<{ key: string }>(admin, path, 'POST', name === '' ? {} : { name })
      setMade(key)
      setName('')
    })
  const revoke = (key: Key): Promise<void> =>
    attempt(async () => {
      await asAdmin(admin, `${path}/${encodeURIComponent(key.id)}`, 'DELETE')
      say('Revoked')
    })
  const working = keys.filter(({ revokedAt }) => revokedAt === undefined)
  return (
    <section class="card">
      <div class="pad stack">
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault()
            void make()
          }}
        >
          <h2>
            {team.name ?? team.id} {team.name !== undefined && <span class="muted small mono">{team.id}</span>}
          </h2>
          <span class="grow" />
          <input
            class="filter"
            type="text"
            aria-label={`Name of a new key of ${team.id}`}
            placeholder="what the key is for"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit">New key</button>
        </form>
        {made && (
          <p class="made" role="status">
            <code>{made}</code>
            <button type="button" class="small" onClick={() => void copy(made)}>
              Copy
            </button>
            <span class="muted small">It is shown only once. Store it safely.</span>
          </p>
        )}
        {refusal && <Notice refusal={refusal} />}
        {working.length === 0 && !refusal && <p class="muted small">This team has no keys.</p>}
      </div>
      <div class="rows">
        {working.map((key) => (
          <KeyRow key={key.id} item={key} revoke={() => void revoke(key)} />
        ))}
      </div>
    </section>
  )
}

/** A key. Revoking it requires typing its name or prefix, because it is final. */
function KeyRow({ item, revoke }: { readonly item: Key; readonly revoke: () => void }) {
  const [isAsked, setAsked] = useState(false)
  const [written, setWritten] = useState('')
  const word = item.name ?? item.prefix
  return (
    <div class="row key">
      <span class="mono">{item.prefix}…</span>
      <span class="where">{item.name ?? ''}</span>
      <span class="facts">
        <span>{item.lastUsedAt ? `used ${when(item.lastUsedAt)}` : 'never used'}</span>
        {!isAsked && (
          <button type="button" class="small" aria-label={`Revoke ${word}`} onClick={() => setAsked(true)}>
            Revoke
          </button>
        )}
      </span>
      {isAsked && (
        <form
          class="bar sure"
          onSubmit={(event) => {
            event.preventDefault()
            if (written === word) revoke()
          }}
        >
          <label for={`sure-${item.id}`} class="small">
            This is final. Write <b>{word}</b> to revoke it.
          </label>
          <input
            id={`sure-${item.id}`}
            class="filter"
            type="text"
            autocomplete="off"
            value={written}
            onInput={(event) => setWritten(event.currentTarget.value)}
          />
          <button type="submit" class="small danger" disabled={written !== word}>
            Revoke
          </button>
          <button type="button" class="small plain" onClick={() => setAsked(false)}>
            Keep it
          </button>
        </form>
      )}
    </div>
  )
}
