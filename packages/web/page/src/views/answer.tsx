import { useState } from 'preact/hooks'

import { call, refusalOf } from '../lib/api.ts'
import { number, shown } from '../lib/format.ts'
import { kindNames } from '../lib/job-list.ts'
import { useRefusedPoll } from '../lib/poll.ts'
import { say } from '../lib/say.ts'
import { Markdown } from '../parts/markdown.tsx'
import { Notice } from '../parts/notice.tsx'
import { Code, Empty, Heading } from '../parts/pieces.tsx'

/** Where a job with one answer is read, and whether it is cancelled there. */
const answers: Readonly<Record<string, AnswerPlace>> = {
  extract: { path: 'v2/extract', texts: [] },
  agent: { path: 'v2/agent', mayEnd: true, texts: [] },
  deep_research: { path: 'v1/deep-research', texts: ['finalAnalysis'] },
  llmstxt: { path: 'v1/llmstxt', texts: ['llmstxt', 'llmsfulltxt'] },
}

interface AnswerPlace {
  readonly path: string
  readonly mayEnd?: boolean
  /** What of the answer is Markdown, to be read. */
  readonly texts: readonly string[]
}

export function hasAnswer(kind: string): boolean {
  return kind in answers
}

interface Answer {
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  readonly data?: unknown
  readonly sources?: unknown
  /** Why it failed. */
  readonly error?: string
  readonly creditsUsed?: number
}

/** A job that has one answer: how it stands, and what was found. */
export function AnswerView({ kind, id }: { readonly kind: string; readonly id: string }) {
  const [answer, setAnswer] = useState<Answer | undefined>()
  const { path = '', mayEnd = false, texts = [] } = answers[kind] ?? {}
  const address = `${path}/${encodeURIComponent(id)}`
  const [refusal, setRefusal] = useRefusedPoll(
    async (signal) => {
      const next = await call<Answer>(address, { signal, mayTellFailure: true })
      setAnswer(next)
      return next.status === 'processing'
    },
    [kind, id],
  )
  const cancel = (): Promise<void> =>
    call(address, { method: 'DELETE' }).then(
      () => say('Cancelled'),
      (error: unknown) => setRefusal(refusalOf(error)),
    )
  const isRunning = answer?.status === 'processing'
  return (
    <>
      <div class="bar">
        <Heading>{kindNames[kind] ?? kind}</Heading>
        {answer && (
          <span class={`state ${isRunning ? 'scraping pulse' : answer.status}`}>
            {isRunning ? 'running' : answer.status}
          </span>
        )}
        <span class="grow" />
        {isRunning && mayEnd && (
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
  if (status === 'failed') return <p class="notice error">{shown(error ?? 'It came to nothing.')}</p>
  if (status === 'cancelled') return <Empty>It was cancelled before it had an answer.</Empty>
  const { texts, rest } = split(data, names)
  if (texts.length === 0 && rest === undefined) {
    return (
      <Empty>{status === 'processing' ? 'Searching and reading. The answer comes here.' : 'It has no answer.'}</Empty>
    )
  }
  return (
    <>
      {texts.map(([name, text]) => (
        <div class="card pad" key={name}>
          <Markdown text={text} />
        </div>
      ))}
      {rest !== undefined && (
        <div class="card pad">
          <Code text={JSON.stringify(sources === undefined ? rest : { data: rest, sources }, null, 2)} name="data" />
        </div>
      )}
    </>
  )
}

interface SplitAnswer {
  readonly texts: readonly (readonly [name: string, text: string])[]
  /** What is data, and not to be read as a text. */
  readonly rest: unknown
}

function split(data: unknown, names: readonly string[]): SplitAnswer {
  if (typeof data === 'string') return { texts: [['answer', data]], rest: undefined }
  if (Array.isArray(data)) return { texts: [], rest: data.length > 0 ? data : undefined }
  if (typeof data !== 'object' || data === null) return { texts: [], rest: data ?? undefined }
  const isText = ([name, value]: readonly [string, unknown]): boolean => names.includes(name) && value !== ''
  const [texts, rest] = [
    Object.entries(data).filter(isText),
    Object.entries(data).filter(([name]) => !names.includes(name)),
  ]
  return { texts: texts as [string, string][], rest: rest.length > 0 ? Object.fromEntries(rest) : undefined }
}
