import { useState } from 'preact/hooks'

import { access, client, clientWith, refusalOf, type Refusal } from '../lib/api.ts'
import { bytes, duration, number, shown } from '../lib/format.ts'
import { useAnswer } from '../lib/poll.ts'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading, Words } from '../parts/pieces.tsx'

/** Result of the check of one part of the server. */
interface Finding {
  readonly name: string
  readonly state: 'good' | 'missing' | 'broken'
  readonly message: string
  readonly fix?: string
}

const signs: Readonly<Record<Finding['state'], readonly [kind: string, text: string]>> = {
  good: ['ok', '✓ works'],
  missing: ['refused', '! missing'],
  broken: ['broken', '✕ broken'],
}

/** Shows the version, load, health and limits of the server. */
export function StatusView() {
  const health = useAnswer((signal) => client.request<{ store: string }>('/health', { signal, mayFail: true }), [])
  const queue = useAnswer((signal) => client.team.queue({ signal }), [])
  const { refusal } = queue
  return (
    <>
      <Heading>Status</Heading>
      {refusal && <Notice refusal={refusal} />}
      <div class="tiles">
        <Tile value={access.value?.version ?? '…'} what="version" />
        <Tile value={health.answer?.store ?? (health.refusal ? 'unavailable' : '…')} what="store" />
        {queue.answer && (
          <>
            <Tile
              value={queue.answer.activeJobsInQueue}
              what={`pages loading, at most ${queue.answer.maxConcurrency}`}
            />
            <Tile value={queue.answer.waitingJobsInQueue} what="pages waiting" />
          </>
        )}
      </div>
      <Examination />
      <Limits />
    </>
  )
}

function Tile({ value, what }: { readonly value: string | number; readonly what: string }) {
  return (
    <div class="tile">
      <b>{value}</b>
      <span>{what}</span>
    </div>
  )
}

/** Runs the checks of `harvestman doctor`. They launch a browser and call the model, so they run only on demand. */
function Examination() {
  const [findings, setFindings] = useState<readonly Finding[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [isBusy, setBusy] = useState(false)
  const [admin, setAdmin] = useState('')
  const isOpen = access.value?.isOpen === true
  const look = async (): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const own = isOpen ? client : clientWith(admin)
      const found = await own.request<{ findings: readonly Finding[] }>('/ui/status', { method: 'POST' })
      setFindings(found.findings)
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setBusy(false)
  }
  return (
    <section class="card">
      <form
        class="pad stack"
        onSubmit={(event) => {
          event.preventDefault()
          void look()
        }}
      >
        <h2>Capabilities</h2>
        <p class="muted">
          Checks the browser, the store, the model, the search and the sandbox, like <code>harvestman doctor</code>.
        </p>
        {!isOpen && (
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
        )}
        <span>
          <button type="submit" disabled={isBusy || (!isOpen && admin === '')}>
            {isBusy ? 'Checking…' : findings ? 'Check again' : 'Check everything'}
          </button>
        </span>
        {refusal && <Notice refusal={refusal} />}
      </form>
      {findings?.length === 0 && <Empty>This server does not report what it has.</Empty>}
      <div class="rows">
        {findings?.map(({ name, state, message, fix }) => (
          <div class="row finding" key={name}>
            <span class={`sign ${signs[state][0]}`}>{signs[state][1]}</span>
            <b>{name}</b>
            <span class="break">
              {shown(message)}
              {fix && (
                <span class="muted">
                  {' '}
                  <Words text={fix} />
                </span>
              )}
            </span>
          </div>
        ))}
      </div>
    </section>
  )
}

interface Limit {
  readonly setting: string
  readonly variable?: string
  readonly value?: number
  readonly unit?: string
  readonly description: string
}

/** Lists every limit with the setting that changes it. */
function Limits() {
  const { answer, refusal } = useAnswer(
    (signal) => client.request<{ limits: readonly Limit[] }>('/ui/limits', { signal }),
    [],
  )
  if (!refusal && (answer?.limits ?? []).length === 0) return null
  return (
    <section class="card">
      <div class="pad stack">
        <h2>Limits</h2>
        <p class="muted">
          To change one, set its variable in the environment, or its setting in the configuration file, and start the
          server again.
        </p>
        {refusal && <Notice refusal={refusal} />}
      </div>
      <div class="rows">
        {answer?.limits.map((limit) => (
          <div class="row limit" key={limit.setting}>
            <b class="break">{limit.setting}</b>
            <span class="number">{amount(limit)}</span>
            <span class="break">
              <Words text={limit.description} />
              {limit.variable && (
                <>
                  {' '}
                  <code>{limit.variable}</code>
                </>
              )}
            </span>
          </div>
        ))}
      </div>
    </section>
  )
}

function amount({ value, unit }: Limit): string {
  if (value === undefined) return 'no limit'
  if (unit === 'bytes') return bytes(value)
  if (unit === 'ms') return duration(value)
  return unit === undefined ? number(value) : `${number(value)} ${unit}`
}
