import type { ActiveHour, ActivityEntry, Usage, UsagePeriod } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { readable } from '../lib/address.ts'
import { madeBy, readActivity, type ActivityList, type TimeSpan } from '../lib/activity.ts'
import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { counted, duration, number, shown, when } from '../lib/format.ts'
import { outcomeNames } from '../lib/job-list.ts'
import { askKinds } from '../lib/kinds.ts'
import { useAnswer } from '../lib/poll.ts'
import { place, refine } from '../lib/router.ts'
import { CostsOfDay } from '../parts/costs.tsx'
import { Choice } from '../parts/choice.tsx'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { bar, Bars, type BarDatum } from '../parts/plots.tsx'
import { Time } from '../parts/time.tsx'

/** Shows the team's requests of the last day, and credits by hour, day, endpoint and key. */
export function ActivityView() {
  const usage = useAnswer((signal) => client.team.usage({ signal }), [])
  const hours = useAnswer((signal) => client.activity.byHour({ signal }), [])
  const days = useAnswer((signal) => readPeriods(false, signal), [])
  const refusal = usage.refusal ?? hours.refusal ?? days.refusal
  return (
    <>
      <Heading>Activity</Heading>
      {refusal && <Notice refusal={refusal} />}
      {usage.answer && <Balance usage={usage.answer} days={days.answer ?? []} />}
      {(hours.answer?.some(({ requests }) => requests > 0) ?? false) && (
        <div class="pair">
          <div class="card pad">
            <Bars
              data={byHour(hours.answer ?? [])}
              title="Requests an hour, last 24 hours"
              unit="request"
              choose={(first, last) => showHours(hours.answer ?? [], first, last)}
            />
          </div>
          <div class="card pad">
            <Bars data={byDay(days.answer ?? [])} title="Credits a day, last 14 days" unit="credit" />
          </div>
        </div>
      )}
      <CostsOfDay chooseEndpoint={(endpoint) => refineTo({ endpoint })} />
      <ByKey />
      <Requests isRefused={refusal !== undefined} />
    </>
  )
}

function readPeriods(byApiKey: boolean, signal: AbortSignal): Promise<readonly UsagePeriod[]> {
  return client.team.usageByPeriod({ timeRange: 'day', byApiKey }, { signal })
}

/** Credits by key, if the team has used more than one. */
function ByKey() {
  const { answer = [] } = useAnswer((signal) => readPeriods(true, signal), [])
  const keys = [...Map.groupBy(answer, ({ apiKey = '' }) => apiKey)].map(
    ([key, periods]) => [key, periods.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)] as const,
  )
  if (keys.length < 2) return null
  return (
    <section class="card">
      <h2 class="pad">Credits by key</h2>
      <div class="rows">
        {keys
          .toSorted(([, one], [, other]) => other - one)
          .map(([key, credits]) => (
            <div class="row key" key={key}>
              <span class="mono break">{shown(key)}</span>
              <span class="where" />
              <span class="facts">{number(credits)} credits</span>
            </div>
          ))}
      </div>
    </section>
  )
}

const ranges: Readonly<Record<string, string>> = { 1: 'Last hour', 6: 'Last 6 hours', 24: 'Last 24 hours' }

const hour = 3_600_000

/** Filters the list to the hours that were selected by dragging. */
function showHours(hours: readonly ActiveHour[], first: number, last: number): void {
  const [from, to] = [hours[first], hours[last]].map((one) => Date.parse(one?.startDate ?? ''))
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return
  refineTo({ endpoint: place.value.query.get('endpoint') ?? '', from: String(from), to: String(to + hour) })
}

function spanOf(query: URLSearchParams): TimeSpan | undefined {
  const [from, to] = [Number(query.get('from') ?? NaN), Number(query.get('to') ?? NaN)]
  return from < to ? { from, to } : undefined
}

/** The requests of a time range, each with a link to its result. */
function Requests({ isRefused }: { readonly isRefused: boolean }) {
  const { query } = place.value
  const endpoint = query.get('endpoint') ?? ''
  const range = query.get('hours') ?? ''
  const span = spanOf(query)
  const filter = { endpoint, hours: range in ranges ? Number(range) : 24, span }
  const [word, setWord] = useState('')
  const [more, setMore] = useState<ActivityList | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const first = useAnswer(
    async (signal) => {
      await askKinds().catch(() => [])
      setMore(undefined)
      return readActivity(filter, undefined, signal)
    },
    [endpoint, range, span?.from, span?.to],
  )
  const records = [...(first.answer?.records ?? []), ...(more?.records ?? [])]
  const cursor = (more ?? first.answer)?.cursor
  const readOn = async (): Promise<void> => {
    try {
      const next = await readActivity(filter, cursor, undefined)
      setMore({ records: [...(more?.records ?? []), ...next.records], cursor: next.cursor })
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  const found = records.filter(({ target, id, key = '' }) =>
    `${target ?? ''} ${id} ${key}`.toLowerCase().includes(word.toLowerCase()),
  )
  const fault = first.refusal ?? refusal
  const isFiltered = span !== undefined || `${endpoint}${range}${word}` !== ''
  return (
    <>
      <div class="bar">
        <h2>
          Requests{' '}
          {first.answer && (
            <span class="muted">
              {number(found.length)}
              {cursor !== undefined && '+'}
            </span>
          )}
        </h2>
        <span class="grow" />
        {span && (
          <button type="button" onClick={() => refineTo({ endpoint })}>
            {when(span.from)} – {when(span.to)} <span aria-hidden="true">✕</span>
            <span class="sr">Show all hours</span>
          </button>
        )}
        <Choice
          label="Time"
          names={ranges}
          value={String(filter.hours)}
          choose={(hours) => refineTo({ endpoint, hours })}
        />
        <Choice
          label="Endpoint"
          all="Every endpoint"
          names={endpointNames(records, endpoint)}
          value={endpoint}
          choose={(next) =>
            refineTo({ endpoint: next, hours: range, ...(span && { from: String(span.from), to: String(span.to) }) })
          }
        />
        <input
          class="filter"
          type="text"
          aria-label="Filter by URL, id or key"
          placeholder="Filter by URL, id or key"
          value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
        />
      </div>
      {fault && !isRefused && <Notice refusal={fault} />}
      {!first.answer && !fault && <Empty>Loading…</Empty>}
      {first.answer && found.length === 0 && (
        <Empty>
          {isFiltered ? 'No requests match these filters.' : 'No requests in the last 24 hours.'}
          <a class="button" href={isFiltered ? '#/activity' : '#/try'} onClick={() => setWord('')}>
            {isFiltered ? 'Clear the filter' : 'Try a page'}
          </a>
        </Empty>
      )}
      {found.length > 0 && (
        <div class="card rows">
          {found.slice(0, mostShown).map((record) => (
            <Request key={record.id} record={record} />
          ))}
        </div>
      )}
      {found.length > mostShown && (
        <p class="small muted">The newest {number(mostShown)} are shown. Filter them to see others.</p>
      )}
      {cursor !== undefined && (
        <div class="bar">
          <button type="button" onClick={() => void readOn()}>
            Load older requests
          </button>
        </div>
      )}
    </>
  )
}

const mostShown = 1_000

function refineTo(query: Readonly<Record<string, string>>): void {
  refine(['activity'], Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')))
}

/** The endpoints of the loaded requests, and the selected one. */
function endpointNames(records: readonly ActivityEntry[], chosen: string): Readonly<Record<string, string>> {
  const names = new Set(records.map(({ endpoint }) => endpoint))
  if (chosen !== '') names.add(chosen)
  return Object.fromEntries([...names].toSorted().map((name) => [name, name.replaceAll('_', ' ')]))
}

function Request({ record }: { readonly record: ActivityEntry }) {
  const { id, endpoint, target, created_at, key, refused, failed, failed_pages: failedPages = 0 } = record
  const { duration_ms: ms, credits_used: credits } = record
  const made = madeBy(record)
  const text = shown(readable(target ?? id))
  return (
    <div class="row act">
      <span class="muted">{endpoint.replaceAll('_', ' ')}</span>
      <span class="where">{made === undefined ? text : <a href={made}>{text}</a>}</span>
      <span class="facts">
        {refused && <span class="sign refused">! {refused.replaceAll('_', ' ')}</span>}
        {failed && <span class="sign broken">✕ {failed.replaceAll('_', ' ').toLowerCase()}</span>}
        {!failed && failedPages > 0 && (
          <span class="sign refused" title={outcomeNames.completed_with_failures}>
            ! {counted(failedPages, 'page')} failed
          </span>
        )}
        {ms !== undefined && <span class="took">{duration(ms)}</span>}
        {credits !== undefined && <span class="price">{counted(credits, 'credit')}</span>}
        {key !== undefined && <span class="mono beside">{shown(key.slice(0, 12))}</span>}
        <Time at={created_at} />
      </span>
    </div>
  )
}

function Balance({ usage, days }: { readonly usage: Usage; readonly days: readonly UsagePeriod[] }) {
  const { remainingCredits: left, planCredits: all, unlimited } = usage
  const used = days.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
  return (
    <div class="tiles">
      <div class="tile">
        <b>{unlimited ? 'unlimited' : number(left)}</b>
        <span>credits left{unlimited ? '' : ` of ${number(all)}`}</span>
        {!unlimited && <progress max={all} value={left} aria-label="Credits left" />}
      </div>
      <div class="tile">
        <b>{number(used)}</b>
        <span>credits used</span>
      </div>
    </div>
  )
}

const day = 24 * 3_600_000

function byHour(hours: readonly ActiveHour[]): readonly BarDatum[] {
  return hours.map(({ startDate, requests }) =>
    bar(`${String(new Date(startDate).getHours()).padStart(2, '0')}:00`, requests),
  )
}

const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

function byDay(periods: readonly UsagePeriod[]): readonly BarDatum[] {
  const last = Math.floor(Date.now() / day)
  const known = new Map(
    periods.map(({ startDate, creditsUsed }) => [Math.floor(Date.parse(startDate) / day), creditsUsed]),
  )
  return Array.from({ length: 14 }, (_, index) => {
    const at = last - 13 + index
    return bar(dayName.format(at * day), known.get(at) ?? 0)
  })
}
