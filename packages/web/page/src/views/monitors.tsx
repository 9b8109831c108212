import type { Monitor } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { summaryInWords } from '../lib/monitors.ts'
import { useRefusedPoll } from '../lib/poll.ts'
import { go, href } from '../lib/router.ts'
import { MonitorView } from '../parts/monitor.tsx'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'

/** Lists the monitors and shows the checks of one. */
export function MonitorsView({ id, check }: { readonly id: string | undefined; readonly check: string | undefined }) {
  const [monitors, setMonitors] = useState<readonly Monitor[] | undefined>()
  const [isMaking, setMaking] = useState(false)
  const [looks, setLooks] = useState(0)
  const [refusal] = useRefusedPoll(
    async (signal) => {
      setMonitors(await client.monitors.list({ limit: 100 }, { signal }))
      return true
    },
    [looks],
  )
  const lookAgain = (): void => setLooks((count) => count + 1)
  const chosen = monitors?.find((monitor) => monitor.id === id) ?? (id === undefined ? monitors?.[0] : undefined)
  const shows = isMaking || (monitors?.length === 0 && id === undefined)
  return (
    <>
      <div class="bar">
        <Heading>Monitors</Heading>
        <span class="grow" />
        {!shows && (
          <button type="button" onClick={() => setMaking(true)}>
            New monitor
          </button>
        )}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {monitors && shows && (
        <NewMonitor
          cancel={isMaking ? () => setMaking(false) : undefined}
          made={(made) => {
            setMaking(false)
            lookAgain()
            go(['monitors', made.id])
          }}
        />
      )}
      {monitors && id !== undefined && !chosen && (
        <Empty>
          <span>No monitor has this id. It may have been deleted.</span>
          <a class="button" href={href(['monitors'])}>
            All monitors
          </a>
        </Empty>
      )}
      {monitors && chosen && (
        <div class="split">
          <div class="card rows" role="group" aria-label="Monitors">
            {monitors.map((monitor) => (
              <a
                class="row session"
                key={monitor.id}
                href={href(['monitors', monitor.id])}
                aria-current={monitor.id === chosen.id ? 'true' : undefined}
              >
                <MonitorSign monitor={monitor} />
                <span class="where">{monitor.name}</span>
                <span class="facts">{factsOf(monitor)}</span>
              </a>
            ))}
          </div>
          <MonitorView key={chosen.id} monitor={chosen} check={check} changed={lookAgain} />
        </div>
      )}
    </>
  )
}

/** Shows whether the monitor is active, and whether its last check had failures. */
function MonitorSign({ monitor: { status, lastCheckSummary } }: { readonly monitor: Monitor }) {
  const hasFailures = (lastCheckSummary?.error ?? 0) > 0
  const [kind, mark] = status === 'paused' ? ['none', '○'] : hasFailures ? ['refused', '!'] : ['ok', '●']
  return (
    <span class={`sign ${kind}`} aria-hidden="true">
      {mark}
    </span>
  )
}

function factsOf({ status, lastCheckSummary }: Monitor): string {
  if (status === 'paused') return 'paused'
  return lastCheckSummary ? summaryInWords(lastCheckSummary) : 'not checked yet'
}

const schedules = ['every 15 minutes', 'hourly', 'every 6 hours', 'daily', 'weekly']

interface NewMonitorProps {
  readonly made: (monitor: Monitor) => void
  readonly cancel: (() => void) | undefined
}

/** The form for a monitor of pages. Monitors of crawls and searches can only be created with the API. */
function NewMonitor({ made, cancel }: NewMonitorProps) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [schedule, setSchedule] = useState('daily')
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const urls = text.split(/\s+/).filter((url) => url !== '')
  const create = async (): Promise<void> => {
    try {
      setRefusal(undefined)
      const monitor = { name: name.trim() || (urls[0] ?? ''), schedule: { text: schedule } }
      made(await client.monitors.create({ ...monitor, targets: [{ type: 'scrape', urls }] }))
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  return (
    <form
      class="card pad stack wide narrow"
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <h2>New monitor</h2>
      <p class="muted">A monitor checks pages on a schedule and shows what has changed.</p>
      <div class="field">
        <label for="monitor-urls">URLs</label>
        <textarea
          id="monitor-urls"
          rows={3}
          placeholder="https://example.com/pricing"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span class="hint">One per line.</span>
      </div>
      <div class="field">
        <label for="monitor-name">Name</label>
        <input
          id="monitor-name"
          type="text"
          placeholder={urls[0] ?? 'Prices'}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="monitor-schedule">Check</label>
        <select id="monitor-schedule" value={schedule} onChange={(event) => setSchedule(event.currentTarget.value)}>
          {schedules.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      {refusal && <Notice refusal={refusal} />}
      <div class="bar">
        <button type="submit" class="primary" disabled={urls.length === 0}>
          Create monitor
        </button>
        {cancel && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  )
}
