import { useState } from 'preact/hooks'

import { call, refusalOf, type Refusal } from '../lib/api.ts'
import { shown, when } from '../lib/format.ts'
import { usePoll } from '../lib/poll.ts'
import { href, place } from '../lib/router.ts'
import { Empty, Heading, Notice } from '../parts/pieces.tsx'

interface Listed {
  readonly id: string
  readonly kind: 'crawl' | 'batch'
  readonly url: string
  readonly state: string
  readonly at: string
}

interface ActivityRecord {
  readonly id: string
  readonly endpoint: string
  readonly target?: string | null
  readonly url?: string
  readonly created_at?: string
  readonly createdAt?: string
}

interface Running {
  readonly id: string
  readonly url?: string
  readonly created_at?: string
}

/** Jobs that run, then those of the last day. */
export function JobsView() {
  const [jobs, setJobs] = useState<readonly Listed[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const word = place.value.query.get('q') ?? ''
  usePoll(
    async (signal) => {
      try {
        setJobs(await listJobs(signal))
        setRefusal(undefined)
      } catch (error) {
        setRefusal(refusalOf(error))
      }
      return true
    },
    2_000,
    [],
  )
  const found = jobs?.filter(({ url, id }) => `${url} ${id}`.toLowerCase().includes(word.toLowerCase()))
  return (
    <>
      <Heading>Jobs</Heading>
      <div class="bar">
        <span class="grow">
          <input
            type="text"
            aria-label="Filter by address or id"
            placeholder="Filter by address or id"
            value={word}
            onInput={(event) =>
              (location.hash = href(['jobs'], event.currentTarget.value ? { q: event.currentTarget.value } : {}))
            }
          />
        </span>
      </div>
      {refusal && <Notice refusal={refusal} />}
      {found?.length === 0 && (
        <Empty>
          {word ? 'No job has this in its address or id.' : 'No jobs in the last day.'}
          <a class="button" href={word ? href(['jobs']) : href(['try'], { request: '{"kind":"crawl"}' })}>
            {word ? 'Clear filter' : 'Start a crawl'}
          </a>
        </Empty>
      )}
      {found && found.length > 0 && (
        <div class="card rows">
          {found.slice(0, 300).map(({ id, kind, url, state, at }) => (
            <a class="row" key={id} href={href(['jobs', kind, id])}>
              <span class="muted">{kind}</span>
              <span class="where">{shown(url || id)}</span>
              <span class="facts">
                <span class={state === 'running' ? 'pulse' : ''}>{state}</span>
                <span>{when(at)}</span>
              </span>
            </a>
          ))}
        </div>
      )}
    </>
  )
}

async function listJobs(signal: AbortSignal): Promise<readonly Listed[]> {
  const [running, recent] = await Promise.all([
    call<{ crawls?: readonly Running[] }>('v2/crawl/active', { signal }),
    call<{ data?: readonly ActivityRecord[] }>('v2/team/activity?limit=100', { signal }).catch(() => ({ data: [] })),
  ])
  const open = (running.crawls ?? []).map(({ id, url = '', created_at = '' }): Listed => ({
    id,
    kind: 'crawl',
    url,
    state: 'running',
    at: created_at,
  }))
  const known = new Set(open.map(({ id }) => id))
  const past = (recent.data ?? [])
    .filter(({ id, endpoint }) => (endpoint === 'crawl' || endpoint === 'batch_scrape') && !known.has(id))
    .map(({ id, endpoint, url, target, created_at, createdAt }): Listed => ({
      id,
      kind: endpoint === 'crawl' ? 'crawl' : 'batch',
      url: url ?? target ?? '',
      state: '',
      at: created_at ?? createdAt ?? '',
    }))
  return [...open, ...past]
}
