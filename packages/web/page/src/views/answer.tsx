import type { AnswerState } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { client, refusalOf } from '../lib/api.ts'
import { number, shown } from '../lib/format.ts'
import { askKinds, served, servedKind, textsOf, titleOf } from '../lib/kinds.ts'
import { useAnswer, useRefusedPoll } from '../lib/poll.ts'
import { sayCancelled } from '../lib/say.ts'
import { AnswerData, hasData } from '../parts/answer-data.tsx'
import { Notice } from '../parts/notice.tsx'
import { Back, Empty, Heading } from '../parts/pieces.tsx'

interface AnswerPlace {
  readonly title: string
  /** Names of the Markdown fields of the result. */
  readonly texts: readonly string[]
}

/** Returns how to show the result of a kind of job. */
function placeOf(kind: string): AnswerPlace | undefined {
  const found = servedKind(kind)
  return found && { title: titleOf(found), texts: textsOf(found) }
}

interface Answer extends AnswerState {
  readonly sources?: unknown
}

/** Shows the status and the result of a job with a single result. */
export function AnswerView({ kind, id }: { readonly kind: string; readonly id: string }) {
  const place = placeOf(kind)
  const { refusal } = useAnswer(askKinds, [kind])
  if (place) return <Standing place={place} kind={kind} id={id} />
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

function Standing({ place, kind, id }: { readonly place: AnswerPlace; readonly kind: string; readonly id: string }) {
  const [answer, setAnswer] = useState<Answer | undefined>()
  const { title, texts } = place
  const job = client.find(kind, id)
  const [refusal, setRefusal] = useRefusedPoll(
    async (signal) => {
      const next = await job.status({ signal })
      setAnswer(next)
      return next.status === 'processing'
    },
    [kind, id],
  )
  const cancel = (): Promise<void> => job.cancel().then(sayCancelled, (error: unknown) => setRefusal(refusalOf(error)))
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
