import { useEffect, useState } from 'preact/hooks'

import { access, call, refusalOf, type Refusal } from '../lib/api.ts'
import { when } from '../lib/format.ts'
import { copy, say } from '../lib/say.ts'
import { Empty, Heading, Notice } from '../parts/pieces.tsx'

interface Key {
  readonly id: string
  readonly name?: string
  readonly prefix?: string
  readonly createdAt?: string
  readonly lastUsedAt?: string | null
}

interface Team {
  readonly id: string
  readonly name?: string
}

/** Keys of each team: for operators, with the admin key. */
export function KeysView() {
  const [admin, setAdmin] = useState('')
  const [teams, setTeams] = useState<readonly Team[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const look = async (): Promise<void> => {
    try {
      setTeams((await asAdmin<{ teams: readonly Team[] }>(admin, 'admin/teams')).teams)
      setRefusal(undefined)
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  return (
    <>
      <Heading>Keys</Heading>
      {access.value?.isOpen && (
        <p class="muted">
          This server answers this machine without a key. Set HARVESTMAN_API_KEY, or make keys here with the admin key.
        </p>
      )}
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          void look()
        }}
      >
        <span class="grow">
          <input
            type="password"
            aria-label="Admin key"
            placeholder="Admin key (HARVESTMAN_ADMIN_KEY)"
            value={admin}
            onInput={(event) => setAdmin(event.currentTarget.value)}
          />
        </span>
        <button type="submit" disabled={admin === ''}>
          Show teams
        </button>
      </form>
      {refusal && <Notice refusal={refusal} />}
      {teams === undefined && !refusal && <Empty>Keys are made and revoked with the admin key of the server.</Empty>}
      {teams?.map((team) => (
        <TeamKeys key={team.id} team={team} admin={admin} />
      ))}
    </>
  )
}

async function asAdmin<T>(key: string, path: string, method = 'GET', body?: unknown): Promise<T> {
  return call<T>(path, { method, body, headers: { authorization: `Bearer ${key}` } })
}

function TeamKeys({ team, admin }: { readonly team: Team; readonly admin: string }) {
  const [keys, setKeys] = useState<readonly Key[]>([])
  const [made, setMade] = useState<string | undefined>()
  const path = `admin/teams/${encodeURIComponent(team.id)}/keys`
  const read = (): void =>
    void asAdmin<{ keys: readonly Key[] }>(admin, path).then(
      ({ keys }) => setKeys(keys),
      () => undefined,
    )
  useEffect(read, [team.id])
  const make = async (): Promise<void> => {
    const { key } = await asAdmin<{ key: string }>(admin, path, 'POST', {})
    setMade(key)
    read()
  }
  const revoke = async (key: Key): Promise<void> => {
    if (
      prompt(`This is final. Write ${key.name ?? key.prefix ?? key.id} to revoke it.`) !==
      (key.name ?? key.prefix ?? key.id)
    )
      return
    await asAdmin(admin, `${path}/${encodeURIComponent(key.id)}`, 'DELETE')
    say('Revoked')
    read()
  }
  return (
    <section class="card stack pad">
      <div class="bar">
        <h2>{team.name ?? team.id}</h2>
        <span class="grow" />
        <button type="button" class="small" onClick={() => void make()}>
          New key
        </button>
      </div>
      {made && (
        <p role="status">
          <code>{made}</code>{' '}
          <button type="button" class="small" onClick={() => void copy(made)}>
            Copy
          </button>{' '}
          <span class="muted">It is shown once.</span>
        </p>
      )}
      <div class="rows">
        {keys.map((key) => (
          <div class="row" key={key.id}>
            <span class="mono">{key.prefix ?? ''}</span>
            <span class="where">{key.name ?? key.id}</span>
            <span class="facts">
              <span>{key.lastUsedAt ? `used ${when(key.lastUsedAt)}` : 'never used'}</span>
              <button type="button" class="small" onClick={() => void revoke(key)}>
                Revoke
              </button>
            </span>
          </div>
        ))}
      </div>
    </section>
  )
}
