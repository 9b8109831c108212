import type { CheckedPage, Monitor, MonitorCheck } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { ownAddressOf, addressIn } from '../lib/address.ts'
import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { counted, number, shown, when } from '../lib/format.ts'
import { aboutOf, isOpen, summaryInWords } from '../lib/monitors.ts'
import { useAnswer, useRefusedPoll } from '../lib/poll.ts'
import { go, href } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import { Diff } from './diff.tsx'
import { Notice } from './notice.tsx'
import { Empty } from './pieces.tsx'

interface MonitorProps {
  readonly monitor: Monitor
  readonly check: string | undefined
  /** Called when the monitor has changed. */
  readonly changed: () => void
}

/** One monitor: its actions, its checks, and the pages of one check. */
export function MonitorView({ monitor, check, changed }: MonitorProps) {
  const { id, status, nextRunAt, currentCheckId, lastRunAt, creditsThisMonth, feeds } = monitor
  const [checks, setChecks] = useState<readonly MonitorCheck[] | undefined>()
  const [isSure, setSure] = useState(false)
  const [refused, setRefused] = useState<Refusal | undefined>()
  const [refusal] = useRefusedPoll(
    async (signal) => {
      const found = await client.monitors.checks(id, { limit: 50 }, { signal })
      setChecks(found)
      return found.some(isOpen)
    },
    // A check can start and end between two polls; then only `lastRunAt` changes.
    [id, currentCheckId, lastRunAt],
  )
  const attempt = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      setRefused(undefined)
      await work()
      say(done)
      changed()
    } catch (error) {
      setRefused(refusalOf(error))
    }
  }
  const problem = refused ?? refusal
  const isActive = status === 'active'
  const feed = addressIn(feeds.atom)
  const chosen = checks?.find((one) => one.id === check) ?? checks?.[0]
  const stop = async (): Promise<void> => {
    await client.monitors.delete(id)
    go(['monitors'])
  }
  return (
    <div class="card">
      <div class="pad under-head">
        <h2 class="break">{monitor.name}</h2>
        <p class="muted small break">{aboutOf(monitor)}</p>
      </div>
      <div class="bar pad">
        <button
          type="button"
          class="primary"
          disabled={!isActive || currentCheckId !== null}
          onClick={() => void attempt(() => client.monitors.run(id), 'Check started')}
        >
          {currentCheckId === null ? 'Check now' : 'Checking…'}
        </button>
        <button
          type="button"
          onClick={() =>
            void attempt(
              () => client.monitors.update(id, { status: isActive ? 'paused' : 'active' }),
              isActive ? 'Monitor paused' : 'Monitor resumed',
            )
          }
        >
          {isActive ? 'Pause' : 'Resume'}
        </button>
        <span class="grow" />
        {feed && (
          <a class="button small" href={ownAddressOf(feed)}>
            Feed
          </a>
        )}
        <button
          type="button"
          class="small danger"
          onClick={() => (isSure ? void attempt(stop, 'Monitor deleted') : setSure(true))}
        >
          {isSure ? 'Delete the monitor and its checks' : 'Delete'}
        </button>
      </div>
      {problem && <Notice refusal={problem} />}
      {checks?.length === 0 && <Empty>No checks yet. Run the first one now, or wait for the schedule.</Empty>}
      {checks && checks.length > 0 && (
        <div class="rows" role="group" aria-label="Checks">
          {checks.map((one) => (
            <CheckRow key={one.id} monitor={id} check={one} isChosen={one.id === chosen?.id} />
          ))}
        </div>
      )}
      {chosen && (
        <>
          <h3 class="pad under-head">
            {shown(monitor.name)}: check of {when(chosen.startedAt ?? chosen.createdAt)}
          </h3>
          <Pages key={chosen.id} monitor={id} check={chosen} />
        </>
      )}
      <div class="footline">
        {nextRunAt !== null && <span>Next check: {when(nextRunAt)}</span>}
        <span>{counted(creditsThisMonth, 'credit')} this month</span>
      </div>
    </div>
  )
}

interface CheckProps {
  readonly monitor: string
  readonly check: MonitorCheck
}

function CheckRow({ monitor, check, isChosen }: CheckProps & { readonly isChosen: boolean }) {
  const { id, status, summary, startedAt, createdAt, error } = check
  const hasFailed = status === 'failed' || status.startsWith('skipped')
  const [kind, mark] = hasFailed
    ? ['broken', '✕']
    : isOpen(check)
      ? ['none', '○']
      : status === 'partial'
        ? ['refused', '!']
        : ['ok', '✓']
  return (
    <a class="row session" href={href(['monitors', monitor, id])} aria-current={isChosen ? 'true' : undefined}>
      <span class={`sign ${kind}`} aria-hidden="true">
        {mark}
      </span>
      <span class="where">{when(startedAt ?? createdAt)}</span>
      <span class="facts">
        {isOpen(check)
          ? 'running'
          : (error ?? `${status === 'partial' ? 'completed with failures: ' : ''}${summaryInWords(summary)}`)}
      </span>
    </a>
  )
}

const meanings: Readonly<Record<CheckedPage['status'], string>> = {
  same: 'no change',
  new: 'first check',
  changed: 'changed',
  removed: 'gone',
  error: 'failed',
}

/** The pages of a check, unchanged ones last. */
function Pages({ monitor, check }: CheckProps) {
  const { answer, refusal } = useAnswer(
    (signal) => client.monitors.check(monitor, check.id, { limit: 100 }, { signal }),
    [monitor, check.id, check.status, check.summary.totalPages],
  )
  if (refusal) return <Notice refusal={refusal} />
  if (!answer) return null
  const pages = answer.pages.toSorted((one, other) => Number(one.status === 'same') - Number(other.status === 'same'))
  const left = answer.summary.totalPages - pages.length
  return (
    <div class="stack pad" role="group" aria-label="Pages">
      {pages.map(({ id, url, status, error, diff }) => (
        <div key={id}>
          <p>
            <b>{meanings[status]}</b> <span class="mono break">{url}</span>
          </p>
          {error !== null && <p class="muted">{error}</p>}
          {diff?.text && <Diff text={diff.text} />}
        </div>
      ))}
      {left > 0 && <p class="muted">{number(left)} more are available over the API.</p>}
    </div>
  )
}
