import { useState } from 'preact/hooks'

import { call, refusalOf } from '../lib/api.ts'
import { number, shown } from '../lib/format.ts'
import { askKinds, served, servedKind, textsOf, titleOf } from '../lib/kinds.ts'
import { useAnswer, useRefusedPoll } from '../lib/poll.ts'
import { say } from '../lib/say.ts'
import { AnswerData, hasData } from '../parts/answer-data.tsx'
import { Notice } from '../parts/notice.tsx'
import { Back, Empty, Heading } from '../parts/pieces.tsx'

interface AnswerPlace {
  readonly title: string
  readonly path: string
  /** Names of the Markdown fields of the result. */
  readonly texts: readonly string[]
}

/** Returns the API path of a kind of job, and how to show its result. */
function placeOf(kind: string): AnswerPlace | undefined {
  const found = servedKind(kind)
  return found && { ...found, title: titleOf(found), path: found.path.replace(/^\//, ''), texts: textsOf(found) }
}

interface Answer {
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  readonly data?: unknown
  readonly sources?: unknown
  /** Error message of a failed job. */
  readonly error?: string
  readonly creditsUsed?: number
  /** True for a cancelled job with the status `failed`, which clients of the public API expect. */
  readonly cancelled?: boolean
}

/** Shows the status and the result of a job with a single result. */
export function AnswerView({ kind, id }: { readonly kind: string; readonly id: string }) {
  const place = placeOf(kind)
  const { refusal } = useAnswer(askKinds, [kind])
  if (place) return <Standing place={place} id={id} />
  return (
    <>
      <Back to="jobs">All jobs</Back>
      <Heading>{kind}</Heading>
      {refusal ? (
        <Notice refusal={refusal} />
      ) : (
        <Empty>{served.value ? 'This server has no job kind with this name.' : 'Loading…'}</Empty>
      )}
    </>
  )
}

function Standing({ place, id }: { readonly place: AnswerPlace; readonly id: string }) {
  const [answer, setAnswer] = useState<Answer | undefined>()
  const { title, path, texts } = place
  const address = `${path}/${encodeURIComponent(id)}`
  const [refusal, setRefusal] = useRefusedPoll(
    async (signal) => {
      const next = await call<Answer>(address, { signal, mayTellFailure: true })
      setAnswer(next.cancelled ? { ...next, status: 'cancelled' } : next)
      return next.status === 'processing'
    },
    [path, id],
  )
  const cancel = (): Promise<void> =>
    call(address, { method: 'DELETE' }).then(
      () => say('Cancelled'),
      (error: unknown) => setRefusal(refusalOf(error)),
    )
  const isRunning = answer?.status === 'processing'
  return (
    <>
      <Back to="jobs">All jobs</Back>
      <div class="bar">
        <Heading>{title}</Heading>
        {answer && (
          <span class={`state ${isRunning ? 'scraping pulse' : answer.status}`}>
            {isRunning ? 'running' : answer.status}
          </span>
        )}
        <span class="grow" />
        {isRunning && (
          <button type="button" onClick={() => void cancel()}>
            Cancel
          </button>
        )}
      </div>
      <div class="facts-line">
        {answer?.creditsUsed !== undefined && (
          <span>
            <b>{number(answer.creditsUsed)}</b> {answer.creditsUsed === 1 ? 'credit' : 'credits'}
          </span>
        )}
        <span class="mono id">{id}</span>
      </div>
      {refusal && <Notice refusal={refusal} />}
      {answer && <Body answer={answer} names={texts} />}
      {!answer && !refusal && <Empty>Loading…</Empty>}
    </>
  )
}

interface BodyProps {
  readonly answer: Answer
  readonly names: readonly string[]
}

function Body({ answer: { status, data, sources, error }, names }: BodyProps) {
  if (status === 'failed') return <p class="notice error">{shown(error ?? 'The job failed without a reason.')}</p>
  if (status === 'cancelled') return <Empty>The job was cancelled before it had a result.</Empty>
  if (hasData(data)) return <AnswerData data={data} sources={sources} texts={names} />
  return <Empty>{status === 'processing' ? 'Running. The result will appear here.' : 'The job has no result.'}</Empty>
}
