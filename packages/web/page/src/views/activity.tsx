import { useEffect, useState } from 'preact/hooks'

import { call, refusalOf, type Refusal } from '../lib/api.ts'
import { number, shown, when } from '../lib/format.ts'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { bar, Bars, type BarDatum } from '../parts/plots.tsx'

interface ActivityRecord {
  readonly id: string
  readonly endpoint: string
  readonly target?: string | null
  readonly created_at: string
  readonly refused?: string
}

interface Period {
  readonly startDate: string
  readonly creditsUsed: number
}

interface Hour {
  readonly startDate: string
  readonly requests: number
}

interface Usage {
  readonly remainingCredits?: number | null
  readonly planCredits?: number | null
}

/** What the team did in the last day, and what it costs by day. */
export function ActivityView() {
  const [records, setRecords] = useState<readonly ActivityRecord[] | undefined>()
  const [next, setNext] = useState<string | undefined>()
  const [usage, setUsage] = useState<Usage | undefined>()
  const [hours, setHours] = useState<readonly Hour[]>([])
  const [days, setDays] = useState<readonly Period[]>([])
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const fail = (error: unknown): void => setRefusal(refusalOf(error))
  const read = async (cursor?: string): Promise<void> => {
    const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) })
    const answer = await call<{ data: readonly ActivityRecord[]; cursor?: string | null; has_more?: boolean }>(
      `v2/team/activity?${query.toString()}`,
    )
    setRecords((before) => (cursor ? [...(before ?? []), ...answer.data] : answer.data))
    setNext(answer.has_more ? (answer.cursor ?? undefined) : undefined)
  }
  useEffect(() => {
    read().catch(fail)
    call<{ hours: readonly Hour[] }>('v2/team/activity/hours').then(({ hours }) => setHours(hours), fail)
    call<{ data: Usage }>('v2/team/credit-usage').then(({ data }) => setUsage(data), fail)
    call<{ periods: readonly Period[] }>('v2/team/credit-usage/historical?timeRange=day').then(
      ({ periods }) => setDays(periods),
      fail,
    )
  }, [])
  return (
    <>
      <Heading>Activity</Heading>
      {refusal && <Notice refusal={refusal} />}
      {usage && <Balance usage={usage} days={days} />}
      {records?.length === 0 && (
        <Empty>
          Nothing was asked for in the last day.
          <a class="button" href="#/try">
            Try a page
          </a>
        </Empty>
      )}
      {records && records.length > 0 && (
        <>
          <div class="pair">
            <div class="card pad">
              <Bars data={byHour(hours)} title="Requests an hour, last 24 hours" unit="request" />
            </div>
            <div class="card pad">
              <Bars data={byDay(days)} title="Credits a day, last 14 days" unit="credit" />
            </div>
          </div>
          <div class="card rows">
            {records.map(({ id, endpoint, target, created_at, refused }) => (
              <div class="row act" key={id}>
                <span class="muted">{endpoint.replaceAll('_', ' ')}</span>
                <span class="where">{shown(target ?? id)}</span>
                <span class="facts">
                  {refused && <span class="sign refused">! {refused.replaceAll('_', ' ')}</span>}
                  <span>{when(created_at)}</span>
                </span>
              </div>
            ))}
          </div>
          {next && (
            <div class="bar">
              <button type="button" onClick={() => void read(next).catch(fail)}>
                Older
              </button>
            </div>
          )}
        </>
      )}
    </>
  )
}

function Balance({ usage, days }: { readonly usage: Usage; readonly days: readonly Period[] }) {
  const { remainingCredits: left, planCredits: all } = usage
  const used = days.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
  const isBound = left !== null && left !== undefined
  return (
    <div class="tiles">
      <div class="tile">
        <b>{isBound ? number(left) : 'no bound'}</b>
        <span>credits left{isBound && all ? ` of ${number(all)}` : ''}</span>
        {isBound && all ? <progress max={all} value={left} aria-label="Credits left" /> : null}
      </div>
      <div class="tile">
        <b>{number(used)}</b>
        <span>credits used so far</span>
      </div>
    </div>
  )
}

const day = 24 * 3_600_000

function byHour(hours: readonly Hour[]): readonly BarDatum[] {
  return hours.map(({ startDate, requests }) =>
    bar(`${String(new Date(startDate).getHours()).padStart(2, '0')}:00`, requests),
  )
}

const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

function byDay(periods: readonly Period[]): readonly BarDatum[] {
  const last = Math.floor(Date.now() / day)
  const known = new Map(
    periods.map(({ startDate, creditsUsed }) => [Math.floor(Date.parse(startDate) / day), creditsUsed]),
  )
  return Array.from({ length: 14 }, (_, index) => {
    const at = last - 13 + index
    return bar(dayName.format(at * day), known.get(at) ?? 0)
  })
}
