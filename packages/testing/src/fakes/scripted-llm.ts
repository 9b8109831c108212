import type { Answer, Json, LLM, Question } from '@harvestman/core/ports'

import { fits } from './fits.ts'

/** What the model says next: a value, a failure, nothing for ever, or what it makes of the question. */
export type Reply =
  | { readonly value: Json; readonly tokens?: number }
  | { readonly error: Error }
  | 'silence'
  | ((question: Question) => Reply | Promise<Reply>)

export interface ScriptedLLM extends LLM {
  readonly questions: readonly Question[]
}

/** A model that says what was written down for it, in this order; the last reply is given again and again. */
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
  const { value, tokens = Math.ceil(JSON.stringify(value).length / 4) } = reply
  if (question.schema && !fits(value, question.schema)) throw new Error('The answer does not fit the schema.')
  return { value, tokens }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
