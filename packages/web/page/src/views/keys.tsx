import { useState } from 'preact/hooks'

import { access, refusalOf, type Refusal } from '../lib/api.ts'
import { asAdmin, type Team } from '../lib/admin.ts'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { TeamKeys } from '../parts/team-keys.tsx'

/** Keys of each team: for operators, with the admin key. It is not kept: a reload asks for it again. */
export function KeysView() {
  const [admin, setAdmin] = useState('')
  const [teams, setTeams] = useState<readonly Team[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const look = async (): Promise<void> => {
    try {
      setTeams((await asAdmin<{ teams: readonly Team[] }>(admin, 'admin/teams')).teams)
      setRefusal(undefined)
    } catch (error) {
      setTeams(undefined)
      const found = refusalOf(error)
      const message = 'This is not the admin key of the server, or the server has none. Set HARVESTMAN_ADMIN_KEY.'
      setRefusal(found.status === 401 ? { ...found, message } : found)
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
      {teams === undefined && (
        <form
          class="login stack wide"
          onSubmit={(event) => {
            event.preventDefault()
            void look()
          }}
        >
          <p class="muted">
            {access.value?.isOpen && 'This server answers this machine without a key. '}
            Keys are made and revoked with the admin key: the value of <code>HARVESTMAN_ADMIN_KEY</code> that the server
            was started with.
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
          <button type="submit" class="primary" disabled={admin === ''}>
            Show teams
          </button>
        </form>
      )}
      {teams?.length === 0 && <Empty>There are no teams yet. Name one below.</Empty>}
      {teams?.map((team) => (
        <TeamKeys key={team.id} team={team} admin={admin} />
      ))}
      {teams && <NewTeam admin={admin} added={() => void look()} />}
    </>
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
