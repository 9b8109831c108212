import { HarvestmanError } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { access, refusalOf, type Refusal } from '../lib/api.ts'
import { asAdmin, type ConfiguredKeys, type TeamList } from '../lib/admin.ts'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { TeamKeys } from '../parts/team-keys.tsx'

/**
 * Manages the keys of each team, for operators with the admin key. The admin key is not stored, so a reload asks for it again.
 */
export function KeysView() {
  const [admin, setAdmin] = useState('')
  const [list, setList] = useState<TeamList | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const look = async (): Promise<void> => {
    try {
      setList(await asAdmin<TeamList>(admin, 'admin/teams'))
      setRefusal(undefined)
    } catch (error) {
      setList(undefined)
      const found = refusalOf(error)
      const message = 'This is not the admin key of the server, or the server has none. Set HARVESTMAN_ADMIN_KEY.'
      setRefusal(found.status === 401 ? new HarvestmanError(message, found) : found)
    }
  }
  return (
    <>
      <div class="bar">
        <Heading>Keys</Heading>
        <span class="grow" />
        {access.value?.isIn === false && (
          <a class="button" href="#/try">
            Log in
          </a>
        )}
      </div>
      {list === undefined && (
        <form
          class="stack wide narrow"
          onSubmit={(event) => {
            event.preventDefault()
            void look()
          }}
        >
          <p class="muted">
            {access.value?.isOpen && 'Requests from this machine need no key. '}
            To create and revoke keys, enter the admin key: the value of <code>HARVESTMAN_ADMIN_KEY</code> on the
            server.
          </p>
          <div class="field">
            <label for="admin">Admin key</label>
            <input
              id="admin"
              type="password"
              autocomplete="off"
              value={admin}
              onInput={(event) => setAdmin(event.currentTarget.value)}
            />
          </div>
          {refusal && <Notice refusal={refusal} />}
          <span>
            <button type="submit" class="primary" disabled={admin === ''}>
              Show teams
            </button>
          </span>
        </form>
      )}
      {list && list.configured.length > 0 && <Configured list={list.configured} />}
      {list?.teams.length === 0 && list.configured.length === 0 && <Empty>No teams yet. Create one below.</Empty>}
      {list?.teams.map((team) => (
        <TeamKeys key={team.id} team={team} admin={admin} />
      ))}
      {list && <NewTeam admin={admin} added={() => void look()} />}
    </>
  )
}

function Configured({ list }: { readonly list: readonly ConfiguredKeys[] }) {
  return (
    <section class="card">
      <div class="pad stack">
        <h2>In the configuration</h2>
        <p class="muted small">
          Change these keys in <code>HARVESTMAN_API_KEY</code>.
        </p>
      </div>
      <div class="rows">
        {list.map(({ team, keys }) => (
          <div class="row key" key={team}>
            <span class="mono">{team}</span>
            <span class="where" />
            <span class="facts">{keys === 1 ? '1 key' : `${keys} keys`}</span>
          </div>
        ))}
      </div>
    </section>
  )
}

function NewTeam({ admin, added }: { readonly admin: string; readonly added: () => void }) {
  const [id, setId] = useState('')
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const make = async (): Promise<void> => {
    try {
      await asAdmin(admin, 'admin/teams', 'POST', { id })
      setId('')
      setRefusal(undefined)
      added()
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <div class="bar">
        <input
          class="filter"
          type="text"
          aria-label="Name of a new team"
          placeholder="Name of a new team"
          value={id}
          onInput={(event) => setId(event.currentTarget.value.trim())}
        />
        <button type="submit" disabled={id === ''}>
          Add team
        </button>
      </div>
      {refusal && <Notice refusal={refusal} />}
    </form>
  )
}
