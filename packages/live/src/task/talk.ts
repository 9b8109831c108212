// The conversation between a task and its model. It contains the newest page, shortened if necessary, and only placeholders for
// older pages. If the steps themselves become too long, the oldest are omitted.
import {
  type Answer,
  EngineError,
  type LLM,
  type Question,
  type Tool,
  type ToolCall,
  type Turn,
} from '@harvestman/ports'
import { estimateTokens } from '@harvestman/toolbox/tokens'
import { shownPage, type Showing, type TaskPage } from './prompt.ts'

export interface Talk {
  /** Asks the model for the next step on the page. */
  ask(page: TaskPage, signal: AbortSignal): Promise<Answer>
  /** Adds the model's message and the result of each of its calls. The page is shown with the call that led to it. */
  note(text: string, results: readonly CallResult[]): void
}

export interface CallResult {
  readonly call: ToolCall
  readonly note: string
  /** Whether the page that is shown next is the result of this call. */
  readonly leadsToPage: boolean
  /** Search terms for the page, instead of the words in the task. */
  readonly words?: string | undefined
}

export interface TalkTask extends Pick<Question, 'prompt'> {
  readonly system: string
  readonly tools: readonly Tool[]
}

interface PastStep {
  readonly text: string
  readonly results: readonly CallResult[]
}

const answerTokens = 4_000
const defaultContext = 16_000
/** Maximum number of tokens of a page, even for a model with a large context, because it is sent with every step. */
const maxPageTokens = 12_000
/** Tokens reserved for message separators, notes and repairs. */
const around = 1_500
const minRoom = 300
const maxTries = 3

/**
 * Creates the conversation with the model about one task. The page and earlier steps are shortened to what fits into
 * its context. `ask` rejects if the model fails.
 */
export function makeTalk(llm: LLM, { prompt, system, tools }: TalkTask): Talk {
  const context = llm.contextTokens ?? defaultContext
  const maxOutputTokens = Math.min(answerTokens, Math.floor(context / 4))
  const fixed = maxOutputTokens + around + estimateTokens(system + prompt + JSON.stringify(tools))
  const room = Math.max(context - fixed, minRoom)
  const steps: PastStep[] = []
  return {
    note: (text, results) => void steps.push({ text, results }),
    ask: async (page, signal) => {
      let part = 1
      for (let count = 1; ; count += 1) {
        const turns = turnsOf(steps, page, room * part, prompt)
        try {
          return await llm.ask({ system, prompt, turns, tools, maxOutputTokens }, signal)
        } catch (error) {
          // Token counts are estimates, so the model may still find the question too long.
          const isTooLong = EngineError.is(error) && error.details['reason'] === 'too_long'
          if (!isTooLong || count >= maxTries) throw error
          part /= 2
        }
      }
    },
  }
}

/** Returns the conversation. Steps may use half of the budget, and the page uses the rest. */
function turnsOf(steps: readonly PastStep[], page: TaskPage, room: number, task: string): Turn[] {
  let first = steps.length
  let size = 0
  for (; first > 0; first -= 1) {
    const more = sizeOf(steps[first - 1]!)
    // The last step is always included, because the page is shown in its result.
    if (size + more > room / 2 && first < steps.length) break
    size += more
  }
  const words = steps.at(-1)?.results.find((one) => one.words !== undefined)?.words ?? task
  const showing = { room: Math.max(Math.min(room - size, maxPageTokens), minRoom), words }
  if (steps.length === 0) return [{ role: 'user', text: shownPage(page, showing) }]
  const left = first > 0 ? ` The first ${first} steps are left out.` : ''
  const recent = steps.slice(first)
  return [
    { role: 'user', text: `(the page at the beginning)${left}` },
    ...recent.flatMap((one, index) => turnsOfStep(one, index === recent.length - 1 ? { page, showing } : undefined)),
  ]
}

function turnsOfStep(
  { text, results }: PastStep,
  newest: { readonly page: TaskPage; readonly showing: Showing } | undefined,
): Turn[] {
  return [
    { role: 'assistant', text, calls: results.map(({ call }) => call) },
    ...results.map(({ call, note, leadsToPage }): Turn => {
      const page = newest ? shownPage(newest.page, newest.showing) : '(an older page)'
      return { role: 'tool', call, result: leadsToPage ? `${note}\n${page}` : note }
    }),
  ]
}

function sizeOf(step: PastStep): number {
  return estimateTokens(JSON.stringify(step))
}
