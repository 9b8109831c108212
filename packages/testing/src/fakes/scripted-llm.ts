import type { Answer, Json, LLM, Question, ToolCall, Usage } from '@harvestman/ports'
import { findMisfits, misfitsMessage } from '@harvestman/json-schema'

/** The next reply of the model: a value, tool calls, an error, no reply at all, or a function of the question. */
export type Reply =
  | { readonly value: Json; readonly usage?: Usage }
  | { readonly calls: readonly Omit<ToolCall, 'id'>[]; readonly text?: string; readonly usage?: Usage }
  | { readonly error: Error }
  | 'silence'
  | ((question: Question) => Reply | Promise<Reply>)

/** A model with scripted replies, which records its questions. */
export interface ScriptedLLM extends LLM {
  readonly questions: readonly Question[]
}

/**
 * Creates a model with these replies, in order; the last one is repeated. A question rejects without replies, if the value does
 * not fit its schema, or if it does not offer a called tool.
 */
export function scriptedLLM(replies: readonly Reply[]): ScriptedLLM {
  const questions: Question[] = []
  return {
    questions,
    async ask(question, signal) {
      signal.throwIfAborted()
      const reply = replies[Math.min(questions.length, replies.length - 1)]
      questions.push(question)
      if (reply === undefined) throw new Error('No reply was written down for this model.')
      return settle(reply, question, signal)
    },
  }
}

async function settle(reply: Reply, question: Question, signal: AbortSignal): Promise<Answer> {
  if (typeof reply === 'function') return settle(await reply(question), question, signal)
  if (reply === 'silence') return untilAborted(signal)
  if ('error' in reply) throw reply.error
  const { usage = guess(question, reply) } = reply
  if ('calls' in reply) {
    const calls = reply.calls.map((call, index) => ({ ...call, id: `call-${question.turns?.length ?? 0}-${index}` }))
    const unknown = calls.find(({ name }) => !question.tools?.some((tool) => tool.name === name))
    if (unknown) throw new Error(`The tool ${unknown.name} was not offered.`)
    return { value: reply.text ?? '', calls, usage }
  }
  const misfits = question.schema ? findMisfits(reply.value, question.schema) : []
  if (misfits.length > 0) throw new Error(`The answer does not fit the schema. ${misfitsMessage(misfits)}`)
  return { value: reply.value, calls: [], usage }
}

function guess({ system = '', prompt }: Question, reply: object): Usage {
  const tokens = (length: number): number => Math.ceil(length / 4)
  return { inputTokens: tokens(system.length + prompt.length), outputTokens: tokens(JSON.stringify(reply).length) }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
