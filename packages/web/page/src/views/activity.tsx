import { useEffect, useState } from 'preact/hooks'

import { call, refusalOf, type Refusal } from '../lib/api.ts'
import { number, shown, when } from '../lib/format.ts'
import { Empty, Heading, Notice } from '../parts/pieces.tsx'
import { Bars, type BarDatum } from '../parts/plots.tsx'

interface ActivityRecord {
  readonly id: string
  readonly endpoint: string
  readonly target?: string | null
  readonly url?: string
  readonly status?: string
  readonly credits?: number
  readonly created_at?: string
  readonly createdAt?: string
}

interface Usage {
  readonly remainingCredits?: number | null
  readonly planCredits?: number | null
}

/** What the team did in the last day, and what it cost. */
export function ActivityView() {
  const [records, setRecords] = useState<readonly ActivityRecord[]>([])
  const [next, setNext] = useState<string | undefined>()
  const [usage, setUsage] = useState<Usage | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const read = async (cursor?: string): Promise<void> => {
    try {
      const answer = await call<{
        data?: readonly ActivityRecord[]
        cursor?: string | null
        next_cursor?: string | null
      }>(`v2/team/activity?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
      setRecords((before) => (cursor ? [...before, ...(answer.data ?? [])] : (answer.data ?? [])))
      setNext(answer.cursor ?? answer.next_cursor ?? undefined)
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  useEffect(() => {
    void read()
    void call<{ data: Usage }>('v2/team/credit-usage').then(
      ({ data }) => setUsage(data),
      () => undefined,
    )
  }, [])
  return (
    <>
      <Heading>Activity</Heading>
      {refusal && <Notice refusal={refusal} />}
      {usage && (
        <div class="facts-line">
          <span>
            <b>
              {usage.remainingCredits === null || usage.remainingCredits === undefined
                ? 'No bound'
                : number(usage.remainingCredits)}
            </b>{' '}
            credits left
          </span>
        </div>
      )}
      {records.length === 0 && !refusal && <Empty>Nothing was asked for in the last day.</Empty>}
      {records.length > 0 && (
        <>
          <div class="card pad">
            <Bars data={byHour(records)} title="Requests an hour" unit="requests" />
          </div>
          <div class="card rows">
            {records.map((record) => (
              <div class="row" key={record.id}>
                <span class="muted">{record.endpoint}</span>
                <span class="where">{shown(record.target ?? record.url ?? record.id)}</span>
                <span class="facts">
                  {record.status && <span>{record.status}</span>}
                  {record.credits !== undefined && <span>{record.credits} cr</span>}
                  <span>{when(timeOf(record))}</span>
                </span>
              </div>
            ))}
          </div>
          {next && (
            <div class="bar">
              <button type="button" onClick={() => void read(next)}>
                Older
              </button>
            </div>
          )}
        </>
      )}
    </>
  )
}

function timeOf({ created_at, createdAt }: ActivityRecord): string {
  return created_at ?? createdAt ?? ''
}

function byHour(records: readonly ActivityRecord[]): readonly BarDatum[] {
  const hour = 3_600_000
  const last = Math.floor(Date.now() / hour)
  const counts = new Map<number, number>()
  for (const record of records) {
    const at = Math.floor(Date.parse(timeOf(record)) / hour)
    counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  return Array.from({ length: 24 }, (_, index) => {
    const at = last - 23 + index
    return { label: `${new Date(at * hour).getHours()} h`, value: counts.get(at) ?? 0 }
  })
}
