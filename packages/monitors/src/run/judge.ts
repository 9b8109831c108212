// Lets a language model judge a change by the goal of a monitor. Page content is treated as data.
import { askForValue } from '@harvestman/core/plugin'
import type { JsonSchema } from '@harvestman/ports'

import { digestOf } from '../ids.ts'
import type { MonitorKit } from '../kit.ts'
import type { Judgment } from '../records/check.ts'

const text = { type: ['string', 'null'], maxLength: 2_000 } satisfies JsonSchema

const schema = {
  type: 'object',
  properties: {
    meaningful: { type: 'boolean' },
    confidence: { enum: ['high', 'medium', 'low'] },
    reason: { type: 'string', maxLength: 2_000 },
    meaningfulChanges: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        properties: {
          type: { enum: ['added', 'removed', 'changed'] },
          before: text,
          after: text,
          reason: { type: 'string' },
        },
        required: ['type', 'before', 'after', 'reason'],
        additionalProperties: false,
      },
    },
  },
  required: ['meaningful', 'confidence', 'reason', 'meaningfulChanges'],
  additionalProperties: false,
} satisfies JsonSchema

/** A change to judge. */
export interface Question {
  readonly team: string
  readonly check: string
  readonly goal: string
  readonly url: string
  readonly text: string
}

const price = 1
const longest = 600_000

/**
 * Returns the judgment and its price in credits. `undefined` without a model, or if the credit cannot be reserved. If the model
 * fails, the change counts as meaningful and costs nothing. Rejects when aborted.
 */
export async function judgeChange(
  question: Question,
  kit: MonitorKit,
): Promise<{ readonly judgment: Judgment; readonly credits: number } | undefined> {
  const { llm, clock, signal } = kit
  if (!llm) return undefined
  const { team, check, goal, url } = question
  const hold = kit.hold({ team, task: ['monitor', check, digestOf(url)].join('/'), until: clock.now() + longest })
  try {
    await hold.reserve(price)
  } catch {
    return undefined
  }
  try {
    const llmContext = { llm, signal, use: () => undefined, warn: () => undefined }
    const task = `The page has changed. The text is the difference: lines that begin with + came, those with - went. Say whether the change matters to somebody who wants this: ${JSON.stringify(goal)}`
    const value = await askForValue(llmContext, { task, page: { url, text: question.text } }, schema)
    await hold.settle(price)
    // Cast: the value fits the schema.
    return { judgment: tidied(value as Judgment), credits: price }
  } catch {
    await hold.release()
    signal.throwIfAborted()
    const reason = 'The change could not be judged.'
    return { judgment: { meaningful: true, confidence: 'low', reason, meaningfulChanges: [] }, credits: 0 }
  }
}

function tidied({ meaningfulChanges, ...judgment }: Judgment): Judgment {
  if (!judgment.meaningful) return { ...judgment, meaningfulChanges: [] }
  return {
    ...judgment,
    meaningfulChanges: meaningfulChanges.map((one) => ({
      ...one,
      before: one.type === 'added' ? null : one.before,
      after: one.type === 'removed' ? null : one.after,
    })),
  }
}
